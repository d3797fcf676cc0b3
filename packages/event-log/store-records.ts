import type { Transaction } from '@milepost/postgres';
import { type Decision, decide } from './decide.ts';
import type { SourceRecord, StoredEventDraft } from './prepare.ts';
import { ERASED, refuseErased } from './refuse-erased.ts';
import { advanceHead } from './sql/advance-head.ts';
import { findRevisions } from './sql/find-revisions.ts';
import type { NewDeadLetter } from './sql/insert-dead-letters.ts';
import { type Duplicate, insertDuplicates } from './sql/insert-duplicates.ts';
import { insertStoredEvents, type PlacedDraft } from './sql/insert-stored-events.ts';
import { insertTripBodies } from './sql/insert-trip-bodies.ts';
import { lockHead } from './sql/lock-head.ts';

/** What became of a batch: every record is in exactly one of the three. */
export interface Outcome {
  placed: PlacedDraft[];
  deadLetters: NewDeadLetter[];
  duplicates: Duplicate[];
}

function conflictRefusal(draft: StoredEventDraft, position: number): NewDeadLetter['refusal'] {
  return {
    reason: 'revision_conflict',
    field: '/revision',
    message: `Revision ${draft.revision} is stored already with other content, at position ${position}: changed content needs a higher revision.`,
  };
}

/** Sorts a batch into what is stored, what is refused and what was there before. */
function settle(records: readonly SourceRecord[], decisions: readonly Decision[]): Outcome {
  const outcome: Outcome = { placed: [], deadLetters: [], duplicates: [] };
  let next = 0;
  for (const { sourceId, offset: sourceOffset, raw, prepared } of records) {
    if (!prepared.storable) {
      outcome.deadLetters.push({ sourceId, sourceOffset, refusal: prepared.refusal, raw });
      continue;
    }
    const decision = decisions[next];
    if (!decision) throw new Error(`Nothing was decided for the record at offset ${sourceOffset}.`);
    next += 1;
    if (decision.outcome === 'stored') {
      const { position, effective, supersedes } = decision;
      outcome.placed.push({ draft: prepared.draft, position, effective, supersedes, sourceId, sourceOffset });
    } else if (decision.outcome === 'conflict') {
      // Only what names an erased driver comes without its bytes.
      const refusal = raw === null ? ERASED : conflictRefusal(prepared.draft, decision.position);
      outcome.deadLetters.push({ sourceId, sourceOffset, refusal, raw });
    } else {
      outcome.duplicates.push({ sourceId, sourceOffset, position: decision.position });
    }
  }
  return outcome;
}

/**
 * Appends what is new among `records`, of one source or several, to the log in their order, notes the duplicates and says
 * what became of each. Dead letters are the caller's: one that is tried again is one already. Holds the lock on the head
 * until the transaction ends, so everything costly has been done before.
 *
 * @returns the outcome and the last position in the log
 */
export async function storeRecords(
  transaction: Transaction,
  records: readonly SourceRecord[],
): Promise<{ outcome: Outcome; headPosition: number }> {
  const head = await lockHead(transaction);
  const admitted = head.hasErasures ? await refuseErased(transaction, records) : records;
  const drafts = admitted.flatMap(({ prepared }) => (prepared.storable ? [prepared.draft] : []));
  const known = await findRevisions(transaction, drafts);
  const outcome = settle(admitted, decide(drafts, known, head.position));
  const headPosition = head.position + outcome.placed.length;
  await insertStoredEvents(transaction, head.now, outcome.placed);
  await insertTripBodies(transaction, outcome.placed);
  await insertDuplicates(transaction, outcome.duplicates);
  if (outcome.placed.length > 0) await advanceHead(transaction, headPosition);
  return { outcome, headPosition };
}
