import { useState } from 'preact/hooks';

/**
 * Copies the text. Resolves to whether the browser allowed it. Browsers do not allow copying on a page that was loaded
 * from another host without TLS.
 */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * A button that copies text and shows the outcome until the text changes.
 *
 * @param label the button's text before it is used
 */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const [last, setLast] = useState<{ text: string; outcome: string } | null>(null);
  return (
    <button
      type="button"
      onClick={async () => {
        const outcome = (await copy(text)) ? 'Copied' : 'The browser does not allow copying: select the text';
        setLast({ text, outcome });
      }}
    >
      {last?.text === text ? last.outcome : label}
    </button>
  );
}
