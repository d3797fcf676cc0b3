import { inTransaction, type Pool } from '@milepost/postgres';
import { type Decision, decide } from './decide.ts';
import { SourceFencedError } from './errors.ts';
import type { PreparedEvent, PreparedRecord } from './prepare.ts';
import { advanceHead } from './sql/advance-head.ts';
import { advanceSource } from './sql/advance-source.ts';
import type { SourceClaim } from './sql/claim-source.ts';
import { findRevisions } from './sql/find-revisions.ts';
import { insertDeadLetters, type NewDeadLetter } from './sql/insert-dead-letters.ts';
import { insertStoredEvents, type PlacedEvent } from './sql/insert-stored-events.ts';
import { insertTripBodies } from './sql/insert-trip-bodies.ts';
import { lockHead } from './sql/lock-head.ts';

/** One record of a source, checked and encoded. `raw` is kept in case it becomes a dead letter. */
export interface IncomingRecord {
  offset: number;
  raw: Uint8Array | null;
  prepared: PreparedRecord;
}

/** What became of the records read; `read` is the sum of the others. */
export interface AppendCounts {
  read: number;
  stored: number;
  duplicates: number;
  dead_letters: number;
}

export interface Appended {
  counts: AppendCounts;
  /** The last position in the log after this batch. */
  headPosition: number;
  /** The claim to append the next batch with. */
  claim: SourceClaim;
}

interface Outcome {
  placed: PlacedEvent[];
  deadLetters: NewDeadLetter[];
  duplicates: number;
}

function conflictRefusal(event: PreparedEvent, position: number): NewDeadLetter['refusal'] {
  return {
    reason: 'revision_conflict',
    field: '/revision',
    message: `Revision ${event.revision} is stored already with other content, at position ${position}: changed content needs a higher revision.`,
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
      outcome.placed.push({ event: prepared.event, position, effective, supersedes, sourceOffset: offset });
    } else if (decision?.outcome === 'conflict') {
      const refusal = conflictRefusal(prepared.event, decision.position);
      outcome.deadLetters.push({ sourceOffset: offset, refusal, raw });
    } else {
      outcome.duplicates += 1;
    }
  }
  return outcome;
}

/**
 * Stores a batch of one source: stored events, dead letters and the source's offset in one transaction, so that a record
 * has its effect exactly once however often it is delivered.
 *
 * @param nextOffset the offset after the last record of the batch
 * @throws SourceFencedError when another process has claimed the source; nothing was stored then
 */
export async function append(
  pool: Pool,
  claim: SourceClaim,
  records: readonly IncomingRecord[],
  nextOffset: number,
): Promise<Appended> {
  const events = records.flatMap(({ prepared }) => (prepared.storable ? [prepared.event] : []));
  return await inTransaction(pool, async (transaction) => {
    const head = await lockHead(transaction);
    const known = await findRevisions(transaction, events);
    const { placed, deadLetters, duplicates } = settle(records, decide(events, known, head));
    await insertStoredEvents(transaction, claim.sourceId, placed);
    await insertTripBodies(transaction, placed);
    await insertDeadLetters(transaction, claim.sourceId, deadLetters);
    if (placed.length > 0) await advanceHead(transaction, head + placed.length);
    const counts = { read: records.length, stored: placed.length, duplicates, dead_letters: deadLetters.length };
    if (!(await advanceSource(transaction, claim, nextOffset, counts))) {
      throw new SourceFencedError(
        `Source ${claim.topic}/${claim.partition} was claimed by another process: offset ${claim.nextOffset} of epoch ${claim.epoch} no longer holds.`,
      );
    }
    return { counts, headPosition: head + placed.length, claim: { ...claim, nextOffset } };
  });
}
