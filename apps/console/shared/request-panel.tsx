import { useState } from 'preact/hooks';
import { CopyButton } from './copy-button.tsx';
import { download } from './download.ts';
import type { GetRequest } from './get-request.ts';
import { firstCharacters, firstLines, shellCommand } from './request-text.ts';
import { serverAddress } from './server-settings.ts';

interface PanelProps {
  requests: readonly GetRequest<unknown>[];
  /** The data of each request; undefined until it is loaded. */
  data: readonly unknown[];
}

function Json({ data }: { data: readonly unknown[] }) {
  const text = JSON.stringify(data.length === 1 ? data[0] : data, null, 2);
  return (
    <>
      <div class="actions">
        <button type="button" onClick={() => download('response.json', 'application/json', text)}>
          Download JSON
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it. */}
      <section class="scroll" tabIndex={0} aria-label="JSON of the response">
        <pre>{firstCharacters(text)}</pre>
      </section>
    </>
  );
}

/** Shows a view's requests as shell commands, and the responses. */
export function RequestPanel({ requests, data }: PanelProps) {
  const [isOpen, setOpen] = useState(false);
  const lines = requests.map(({ address, authorization }) => shellCommand(serverAddress() + address, authorization));
  const loaded = data.filter((each) => each !== undefined);
  return (
    <details class="requests" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {requests.length === 1 ? 'The request behind this view' : `The ${requests.length} requests behind this view`}
      </summary>
      {isOpen && (
        <>
          <div class="actions">
            <CopyButton label="Copy as shell commands" text={lines.join('\n')} />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it. */}
          <section class="scroll" tabIndex={0} aria-label="Requests as shell commands">
            <pre>{firstLines(lines)}</pre>
          </section>
          {loaded.length > 0 && <Json data={loaded} />}
        </>
      )}
    </details>
  );
}
