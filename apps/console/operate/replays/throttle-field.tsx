import type { Replay } from '../requests.ts';

/** The throttle that a text stands for; null for what is none. */
export function throttleOf(text: string): Replay['throttle'] | null {
  const word = text.trim();
  if (word === 'auto' || word === 'off') return word;
  return /^[1-9][0-9]{0,8}$/.test(word) ? Number(word) : null;
}

/** Asks how fast a replay may go. */
export function ThrottleField({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  return (
    <label>
      Throttle: auto, off, or trips per second
      <input
        type="text"
        value={text}
        aria-invalid={throttleOf(text) === null}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}
