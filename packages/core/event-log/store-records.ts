import { DRIVER_PROFILE } from '@milepost/domain/vocabulary';
import { columns, statement, type Transaction } from '@milepost/postgres';
import { type Decision, decide, type KnownRevision } from './decide.ts';
import { fleetsOf, refuseFenced } from './fences.ts';
import { advanceHead, lockHead } from './head.ts';
import {
  countWarnings,
  type Duplicate,
  insertDuplicates,
  insertSetAside,
  insertStoredEvents,
  insertTripBodies,
  type NewDeadLetter,
  type PlacedDraft,
} from './insert.ts';
import { namesOf } from './names.ts';
import type { SourceRecord, StoredEventDraft } from './prepare.ts';
import { ERASED, refuseErased } from './refuse-erased.ts';

/**
 * The subjects in `$1` are trips, and those in `$2` are drivers (`fleet_id/driver_id`). LATERAL and OFFSET 0 force the
 * use of the index. Without them, a connection that planned the statement for an almost empty log would keep this plan.
 * Each append would then read the whole log until the server collects statistics.
 */
const FIND_REVISIONS = statement('find-revisions', {
  ...columns('text', 'subject', 'contentHash'),
  ...columns('number', 'revision', 'position'),
  effective: 'boolean',
})`
  SELECT replace(wanted.trip_id::text, '-', '') AS subject, stored.*
  FROM unnest($1::uuid[]) AS wanted (trip_id)
  CROSS JOIN LATERAL (
    SELECT encode(content_hash, 'hex') AS "contentHash", revision, position, effective
    FROM stored_event event WHERE event.trip_id = wanted.trip_id OFFSET 0) stored
  UNION ALL
  SELECT wanted.subject, stored.*
  FROM unnest($2::text[]) AS wanted (subject)
  CROSS JOIN LATERAL (
    SELECT encode(content_hash, 'hex'), revision, position, effective
    FROM stored_event event
    WHERE event.kind = ${DRIVER_PROFILE} AND event.fleet_id = split_part(wanted.subject, '/', 1)
      AND event.driver_id = substr(wanted.subject, strpos(wanted.subject, '/') + 1) OFFSET 0) stored`;

/** Finds every stored revision of the trips and driver profiles among `drafts`. */
async function findRevisions(transaction: Transaction, drafts: readonly StoredEventDraft[]): Promise<KnownRevision[]> {
  const trips = new Set<string>();
  const drivers = new Set<string>();
  for (const { subject, record } of drafts) (record.kind === 'driver.profile' ? drivers : trips).add(subject);
  return await transaction.rows(FIND_REVISIONS, [[...trips], [...drivers]]);
}

/** The result of a batch. Every record is in exactly one of the three lists. */
export interface Outcome<Kept extends SourceRecord = SourceRecord> {
  placed: PlacedDraft<Kept>[];
  deadLetters: NewDeadLetter<Kept>[];
  duplicates: Duplicate<Kept>[];
}

function conflictRefusal(draft: StoredEventDraft, position: number): NewDeadLetter['refusal'] {
  return {
    reason: 'revision_conflict',
    field: '/revision',
    message: `Revision ${draft.record.revision} has already been stored with different content, at position ${position}: changed content needs a higher revision.`,
  };
}

/** Sorts a batch into stored events, dead letters and duplicates. */
function outcomeOf<Kept extends SourceRecord>(records: readonly Kept[], decisions: readonly Decision[]): Outcome<Kept> {
  const outcome: Outcome<Kept> = { placed: [], deadLetters: [], duplicates: [] };
  let next = 0;
  for (const record of records) {
    const { prepared } = record;
    if (!prepared.storable) {
      outcome.deadLetters.push({ record, refusal: prepared.refusal, named: prepared.named });
      continue;
    }
    const { draft } = prepared;
    const decision = decisions[next];
    if (!decision) throw new Error(`The record at offset ${record.offset} has no decision.`);
    next += 1;
    if (decision.outcome === 'stored') {
      // Copying or spreading the rest of the decision would keep the head locked for longer.
      const { position, effective, supersedes } = decision;
      outcome.placed.push({ record, draft, position, effective, supersedes });
    } else if (decision.outcome === 'conflict') {
      // The bytes are missing only if they contained an erased driver's id.
      const refusal = record.raw === null ? ERASED : conflictRefusal(draft, decision.position);
      outcome.deadLetters.push({ record, refusal, named: prepared.named ?? namesOf(draft.record) });
    } else {
      outcome.duplicates.push({ record, position: decision.position });
    }
  }
  return outcome;
}

const NO_FLEETS: ReadonlySet<string> = new Set();

/**
 * Appends the new records among `records`, which may come from several sources, to the log in the given order. Inserts
 * the duplicates and returns the result for each record. Leaves the dead letters to the caller, because a retried
 * record is already a dead letter. Locks the head until the transaction ends, so all costly work is done beforehand.
 *
 * @param fleetsElsewhere the fleets whose records are stored in another log, up to the sources' new offsets
 * @param isCopy whether the records are copies from another log; fences do not apply to copies
 * @returns the outcome, the last position in the log, and how long the transaction waited for the lock
 * @throws FleetFencedError when a fleet is moving to another log; in that case, nothing was stored
 */
export async function storeRecords<Kept extends SourceRecord>(
  transaction: Transaction,
  records: readonly Kept[],
  fleetsElsewhere = NO_FLEETS,
  isCopy = false,
): Promise<{ outcome: Outcome<Kept>; headPosition: number; lockMilliseconds: number }> {
  const started = performance.now();
  const head = await lockHead(transaction);
  const lockMilliseconds = performance.now() - started;
  if (head.hasFences) await refuseFenced(transaction, isCopy ? NO_FLEETS : fleetsOf(records), fleetsElsewhere);
  const admitted = head.hasErasures ? await refuseErased(transaction, records) : records;
  const drafts = admitted.flatMap(({ prepared }) => (prepared.storable ? [prepared.draft] : []));
  const known = await findRevisions(transaction, drafts);
  const outcome = outcomeOf(admitted, decide(drafts, known, head.position));
  const headPosition = head.position + outcome.placed.length;
  await insertStoredEvents(transaction, head.now, outcome.placed);
  await insertTripBodies(transaction, outcome.placed);
  await insertSetAside(transaction, outcome.placed);
  await insertDuplicates(transaction, outcome.duplicates);
  await countWarnings(transaction, outcome.placed);
  if (outcome.placed.length > 0) await advanceHead(transaction, headPosition);
  return { outcome, headPosition, lockMilliseconds };
}
