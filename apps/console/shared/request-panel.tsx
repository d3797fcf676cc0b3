import { useState } from 'preact/hooks';
import { download } from './download.ts';
import type { Question } from './question.ts';

/** More than this of an answer makes a page slow; the whole of it is in the file. */
const MOST_CHARACTERS = 50_000;
const MOST_LINES = 30;

/** Quotes for a shell; ids may hold anything but control characters. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

interface PanelProperties {
  questions: readonly Question<unknown>[];
  answers: readonly unknown[];
  /** The header that says who asks, with a variable of the shell in place of the key. */
  authorization: string;
}

function curlLine(address: string, authorization: string): string {
  return `curl -sS ${shellQuoted(location.origin + address)} -H 'Content-Type: application/json' -H "Authorization: ${authorization}"`;
}

function Json({ answers }: { answers: readonly unknown[] }) {
  const text = JSON.stringify(answers.length === 1 ? answers[0] : answers, null, 2);
  return (
    <>
      <div class="actions">
        <button type="button" onClick={() => download('answer.json', 'application/json', text)}>
          Download JSON
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section class="scroll" tabIndex={0} aria-label="JSON of the answer">
        <pre>
          {text.slice(0, MOST_CHARACTERS)}
          {text.length > MOST_CHARACTERS && `\n… ${text.length - MOST_CHARACTERS} more characters are in the file.`}
        </pre>
      </section>
    </>
  );
}

/** The requests behind a view as lines for a shell, and their answers. */
export function RequestPanel({ questions, answers, authorization }: PanelProperties) {
  const [isOpen, setOpen] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const lines = questions.map(({ address }) => curlLine(address, authorization));
  const known = answers.filter((answer) => answer !== undefined);
  return (
    <details class="requests" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {questions.length === 1 ? 'The request behind this' : `The ${questions.length} requests behind this`}
      </summary>
      {isOpen && (
        <>
          <div class="actions">
            <button
              type="button"
              onClick={() => navigator.clipboard.writeText(lines.join('\n')).then(() => setCopied(true))}
            >
              {isCopied ? 'Copied' : 'Copy for a shell'}
            </button>
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
          <section class="scroll" tabIndex={0} aria-label="Requests as lines for a shell">
            <pre>
              {lines.slice(0, MOST_LINES).join('\n')}
              {lines.length > MOST_LINES && `\n… and ${lines.length - MOST_LINES} more of the same kind`}
            </pre>
          </section>
          {known.length > 0 && <Json answers={known} />}
        </>
      )}
    </details>
  );
}
