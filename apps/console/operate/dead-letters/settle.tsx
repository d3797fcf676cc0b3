import { useState } from 'preact/hooks';
import { countText } from '../../shared/format.ts';
import { allMatching, changes } from '../api.ts';
import { ChangeButton } from '../change-button.tsx';
import type { DeadLetterFilter } from '../route.ts';

/** The dead letters to retry or discard: some by id, or all open ones that match a filter. */
type Choice =
  | { kind: 'ids'; ids: readonly number[] }
  /** `count` is the number of matching dead letters at the last request. */
  | { kind: 'all'; filter: DeadLetterFilter; count: number };

function namesOf(choice: Choice): string {
  if (choice.kind === 'all') return `all ${countText(choice.count, 'open dead letter')} that match`;
  return choice.ids.length === 1 ? `dead letter ${choice.ids[0]}` : countText(choice.ids.length, 'dead letter');
}

function bodyOf(choice: Choice): { ids: number[] } | { all_open: true } {
  return choice.kind === 'ids' ? { ids: [...choice.ids] } : allMatching(choice.filter);
}

/** The text that confirms a discard: the id of one dead letter, or the number of several. */
function typedFor(choice: Choice): string {
  if (choice.kind === 'all') return String(choice.count);
  return String(choice.ids.length === 1 ? choice.ids[0] : choice.ids.length);
}

interface SettleProps {
  choice: Choice;
  /** Receives the result as a sentence. */
  onDone: (sentence: string) => void;
}

type Results = { outcome: string; message: string | null }[];

function retriedText(results: Results, left: number): string {
  const count = (wanted: string) => results.filter(({ outcome }) => outcome === wanted).length;
  const words = [
    `${countText(results.length, 'dead letter')} retried`,
    `${count('stored')} stored`,
    `${count('duplicate')} already stored`,
    `${count('refused')} refused again`,
    `${count('not_open')} not open`,
  ];
  const reason = results.length === 1 && results[0]?.message ? ` ${results[0].message}` : '';
  return `${words.join(', ')}.${reason}${left > 0 ? ` ${countText(left, 'more', 'more')} match: retry again.` : ''}`;
}

/** Retries dead letters: stores the same bytes if the rules of this release accept them. */
export function Retry({ choice, onDone }: SettleProps) {
  return (
    <ChangeButton
      label={choice.kind === 'all' ? 'Retry all' : 'Retry'}
      title={`Retry ${namesOf(choice)}`}
      action="Retry"
      request={() => changes.retryDeadLetters(bodyOf(choice))}
      onDone={(data) => data && onDone(retriedText(data.results, data.left))}
    >
      <p>
        A retry stores the same bytes if the rules of this release accept them. It processes at most 1,000 dead letters.
        A stored record cannot be removed. A record that is refused again stays open.
      </p>
    </ChangeButton>
  );
}

/** Discards dead letters, with a reason. */
export function Discard({ choice, onDone }: SettleProps) {
  const [note, setNote] = useState('');
  return (
    <ChangeButton
      label={choice.kind === 'all' ? 'Discard all' : 'Discard'}
      title={`Discard ${namesOf(choice)}`}
      action="Discard"
      typed={typedFor(choice)}
      isReady={note.trim() !== ''}
      request={() => changes.discardDeadLetters({ ...bodyOf(choice), note: note.trim() })}
      onDone={(data) =>
        data &&
        onDone(
          `${countText(data.discarded.length, 'dead letter')} discarded, ${data.not_open.length} not open.${data.left > 0 ? ` ${countText(data.left, 'more', 'more')} match: discard again.` : ''}`,
        )
      }
    >
      <p>
        It marks at most 1,000 dead letters as discarded, permanently. Their rows and bytes stay. They cannot be
        retried.
      </p>
      <label>
        Reason (kept permanently)
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
