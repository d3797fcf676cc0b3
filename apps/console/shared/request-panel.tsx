import { useState } from 'preact/hooks';
import { download } from './download.ts';
import type { GetRequest } from './get-request.ts';
import { serverAddress } from './server-settings.ts';

/** Longer text makes the page slow. The file contains all of it. */
const MAX_CHARACTERS = 50_000;
const MAX_LINES = 30;

/** Quotes a string for a shell. An id may contain any character except control characters. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

interface PanelProps {
  requests: readonly Pick<GetRequest<unknown>, 'address'>[];
  /** The data of each request; undefined until it is loaded. */
  data: readonly unknown[];
  /** The `Authorization` header, with a shell variable in place of the key. */
  authorization: string;
}

function curlLine(address: string, authorization: string): string {
  return `curl -sS ${shellQuoted(serverAddress() + address)} -H 'Content-Type: application/json' -H "Authorization: ${authorization}"`;
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
        <pre>
          {text.slice(0, MAX_CHARACTERS)}
          {text.length > MAX_CHARACTERS && `\n… ${text.length - MAX_CHARACTERS} more characters are in the file.`}
        </pre>
      </section>
    </>
  );
}

/** Shows the requests of a view as shell commands, and their responses. */
export function RequestPanel({ requests, data, authorization }: PanelProps) {
  const [isOpen, setOpen] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const lines = requests.map(({ address }) => curlLine(address, authorization));
  const loaded = data.filter((each) => each !== undefined);
  return (
    <details class="requests" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {requests.length === 1 ? 'The request of this view' : `The ${requests.length} requests of this view`}
      </summary>
      {isOpen && (
        <>
          <div class="actions">
            <button
              type="button"
              onClick={() => navigator.clipboard.writeText(lines.join('\n')).then(() => setCopied(true))}
            >
              {isCopied ? 'Copied' : 'Copy as shell commands'}
            </button>
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it. */}
          <section class="scroll" tabIndex={0} aria-label="Requests as shell commands">
            <pre>
              {lines.slice(0, MAX_LINES).join('\n')}
              {lines.length > MAX_LINES && `\n… and ${lines.length - MAX_LINES} more of the same kind`}
            </pre>
          </section>
          {loaded.length > 0 && <Json data={loaded} />}
        </>
      )}
    </details>
  );
}
