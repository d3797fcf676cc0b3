import { useState } from 'preact/hooks';
import { ChangeButton } from '../change-button.tsx';
import { counted } from '../figures.ts';
import { allThat, changes } from '../requests.ts';
import type { LetterFilter } from '../route.ts';

/** Dead letters that an operator settles: some by id, or all open ones that a filter lets through. */
type Choice =
  | { kind: 'ids'; ids: readonly number[] }
  /** `count`: how many they are, as far as is known. */
  | { kind: 'all'; filter: LetterFilter; count: number };

function namesOf(choice: Choice): string {
  if (choice.kind === 'all') return `all ${counted(choice.count, 'open dead letter')} that match`;
  return choice.ids.length === 1 ? `dead letter ${choice.ids[0]}` : counted(choice.ids.length, 'dead letter');
}

function bodyOf(choice: Choice): { ids: number[] } | { all_open: true } {
  return choice.kind === 'ids' ? { ids: [...choice.ids] } : allThat(choice.filter);
}

/** What has to be typed: the id of one, the number of many. */
function typedFor(choice: Choice): string {
  if (choice.kind === 'all') return String(choice.count);
  return String(choice.ids.length === 1 ? choice.ids[0] : choice.ids.length);
}

interface SettleProperties {
  choice: Choice;
  /** What came of it, in a sentence. */
  onDone: (sentence: string) => void;
}

type Results = { outcome: string; message: string | null }[];

function retriedText(results: Results, left: number): string {
  const count = (wanted: string) => results.filter(({ outcome }) => outcome === wanted).length;
  const words = [
    `${counted(results.length, 'dead letter')} tried`,
    `${count('stored')} stored`,
    `${count('duplicate')} stored already`,
    `${count('refused')} refused as before`,
    `${count('not_open')} not open`,
  ];
  const reason = results.length === 1 && results[0]?.message ? ` ${results[0].message}` : '';
  return `${words.join(', ')}.${reason}${left > 0 ? ` ${counted(left, 'more', 'more')} match: retry again.` : ''}`;
}

/** Tries to store the same bytes again. */
export function Retry({ choice, onDone }: SettleProperties) {
  return (
    <ChangeButton
      label={choice.kind === 'all' ? 'Retry all' : 'Retry'}
      title={`Retry ${namesOf(choice)}`}
      action="Retry"
      request={() => changes.retryLetters(bodyOf(choice))}
      onDone={(answer) => answer && onDone(retriedText(answer.results, answer.left))}
    >
      <p>
        It tries to store the same bytes with the rules of this release, at most 1,000 of them. What is stored cannot be
        taken back; what is refused again stays open.
      </p>
    </ChangeButton>
  );
}

/** Gives dead letters up, with a reason. */
export function Discard({ choice, onDone }: SettleProperties) {
  const [note, setNote] = useState('');
  return (
    <ChangeButton
      label={choice.kind === 'all' ? 'Discard all' : 'Discard'}
      title={`Discard ${namesOf(choice)}`}
      action="Discard"
      typed={typedFor(choice)}
      isReady={note.trim() !== ''}
      request={() => changes.discardLetters({ ...bodyOf(choice), note: note.trim() })}
      onDone={(answer) =>
        answer &&
        onDone(
          `${counted(answer.discarded.length, 'dead letter')} discarded, ${answer.not_open.length} not open.${answer.left > 0 ? ` ${counted(answer.left, 'more', 'more')} match: discard again.` : ''}`,
        )
      }
    >
      <p>
        It gives them up for good, on record, at most 1,000 of them. Their rows and bytes stay. They are never tried
        again.
      </p>
      <label>
        Reason, kept for good
        <input
          type="text"
          maxLength={1_000}
          value={note}
          onInput={({ currentTarget }) => setNote(currentTarget.value)}
        />
      </label>
    </ChangeButton>
  );
}
