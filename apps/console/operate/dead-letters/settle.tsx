import { useState } from 'preact/hooks';
import { TextField } from '../../shared/text-field.tsx';
import { allMatching, changes } from '../api.ts';
import { ChangeButton } from '../change-button.tsx';
import { type Choice, discardedText, namesOf, retriedText, typedFor } from './choice.ts';

function bodyOf(choice: Choice): { ids: number[] } | { all_open: true } {
  return choice.kind === 'ids' ? { ids: [...choice.ids] } : allMatching(choice.filter);
}

interface SettleProps {
  choice: Choice;
  /** Receives the result as a sentence. */
  onDone: (sentence: string) => void;
}

/** Retries dead letters: stores the same bytes if this release's rules accept the record. */
function Retry({ choice, onDone }: SettleProps) {
  return (
    <ChangeButton
      label={choice.kind === 'all' ? 'Retry all' : 'Retry'}
      title={`Retry ${namesOf(choice)}`}
      action="Retry"
      request={() => changes.retryDeadLetters(bodyOf(choice))}
      onDone={(retried) => onDone(retriedText(retried))}
    >
      <p>
        A retry stores the same bytes if this release's rules accept them. It processes at most 1,000 dead letters. A
        stored record cannot be removed. A record that is refused again stays open.
      </p>
    </ChangeButton>
  );
}

/** Discards dead letters, with a reason. */
function Discard({ choice, onDone }: SettleProps) {
  const [note, setNote] = useState('');
  return (
    <ChangeButton
      label={choice.kind === 'all' ? 'Discard all' : 'Discard'}
      title={`Discard ${namesOf(choice)}`}
      action="Discard"
      typed={typedFor(choice)}
      isReady={note.trim() !== ''}
      request={() => changes.discardDeadLetters({ ...bodyOf(choice), note: note.trim() })}
      onDone={(discarded) => onDone(discardedText(discarded))}
    >
      <p>
        This permanently marks at most 1,000 dead letters as discarded. Their rows and bytes are kept, but they cannot
        be retried.
      </p>
      <TextField label="Reason (kept permanently)" text={note} onChange={setNote} maxLength={1_000} />
    </ChangeButton>
  );
}

/** The buttons that retry and discard dead letters. */
export function Settle(props: SettleProps) {
  return (
    <>
      <Retry {...props} />
      <Discard {...props} />
    </>
  );
}
