import type { Transaction } from '@milepost/postgres';
import { type Decision, decide } from './decide.ts';
import type { PreparedRecord, StoredEventDraft } from './prepare.ts';
import { advanceHead } from './sql/advance-head.ts';
import { findRevisions } from './sql/find-revisions.ts';
import type { NewDeadLetter } from './sql/insert-dead-letters.ts';
import { insertStoredEvents, type PlacedDraft } from './sql/insert-stored-events.ts';
import { insertTripBodies } from './sql/insert-trip-bodies.ts';
import { lockHead } from './sql/lock-head.ts';

/** One record of a source, checked and encoded. `raw` is kept in case it becomes a dead letter. */
export interface IncomingRecord {
  offset: number;
  raw: Uint8Array | null;
  prepared: PreparedRecord;
}

/** What became of a batch: every record is in exactly one of the three. */
export interface Outcome {
  placed: PlacedDraft[];
  deadLetters: NewDeadLetter[];
  duplicates: number;
}

function conflictRefusal(draft: StoredEventDraft, position: number): NewDeadLetter['refusal'] {
  return {
    reason: 'revision_conflict',
    field: '/revision',
    message: `Revision ${draft.revision} is stored already with other content, at position ${position}: changed content needs a higher revision.`,
  };
}

/** Sorts a batch into what is stored, what is refused and what was there before. */
function settle(records: readonly IncomingRecord[], decisions: readonly Decision[]): Outcome {
  const outcome: Outcome = { placed: [], deadLetters: [], duplicates: 0 };
  let next = 0;
  for (const { offset, raw, prepared } of records) {
    if (!prepared.storable) {
      outcome.deadLetters.push({ sourceOffset: offset, refusal: prepared.refusal, raw });
      continue;
    }
    const decision = decisions[next];
    next += 1;
    if (decision?.outcome === 'stored') {
      const { position, effective, supersedes } = decision;
      outcome.placed.push({ draft: prepared.draft, position, effective, supersedes, sourceOffset: offset });
    } else if (decision?.outcome === 'conflict') {
      const refusal = conflictRefusal(prepared.draft, decision.position);
      outcome.deadLetters.push({ sourceOffset: offset, refusal, raw });
    } else {
      outcome.duplicates += 1;
    }
  }
  return outcome;
}

/**
 * Appends what is new among `records` to the log and says what became of each. Holds the lock on the head until the
 * transaction ends, so everything costly has been done before.
 *
 * @returns the outcome and the last position in the log
 */
export async function storeRecords(
  transaction: Transaction,
  sourceId: number,
  records: readonly IncomingRecord[],
): Promise<{ outcome: Outcome; headPosition: number }> {
  const drafts = records.flatMap(({ prepared }) => (prepared.storable ? [prepared.draft] : []));
  const head = await lockHead(transaction);
  const known = await findRevisions(transaction, drafts);
  const outcome = settle(records, decide(drafts, known, head));
  const headPosition = head + outcome.placed.length;
  await insertStoredEvents(transaction, sourceId, outcome.placed);
  await insertTripBodies(transaction, outcome.placed);
  if (outcome.placed.length > 0) await advanceHead(transaction, headPosition);
  return { outcome, headPosition };
}
