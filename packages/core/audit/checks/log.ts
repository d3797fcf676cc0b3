import { TRIP_PROCESSED } from '@milepost/domain/vocabulary';
import { columns, statement, type Transaction } from '@milepost/postgres';
import { type AuditFault, faultOf } from '../report.ts';
import { nameStoredEvents } from '../stored-events.ts';

/** Each check reports at most this many examples. */
const MAX_SAMPLES = 20;

const COUNT_POSITIONS = statement('audit-count-positions', columns('number', 'stored_events', 'first', 'last'))`
  SELECT count(*) AS stored_events, coalesce(min(position), 1) AS first, coalesce(max(position), 0) AS last
  FROM stored_event`;

const FIND_GAPS = statement('audit-find-gaps', { first: 'number', last: 'number' })`
  SELECT before + 1 AS first, position - 1 AS last FROM (
    SELECT position, lag(position, 1, 0::bigint) OVER (ORDER BY position) AS before FROM stored_event) placed
  WHERE position > before + 1 ORDER BY position LIMIT ${MAX_SAMPLES}`;

/** Checks that the positions run from 1 to the head without gaps. */
export async function checkPositions(transaction: Transaction, headPosition: number): Promise<AuditFault[]> {
  const faults: AuditFault[] = [];
  const { stored_events, first, last } = await transaction.row(COUNT_POSITIONS);
  if (last !== headPosition) {
    const detail = `The head of the log is at position ${headPosition}, but the last stored event is at ${last}.`;
    faults.push(faultOf('log_positions', null, detail));
  }
  if (first !== 1 || stored_events !== last) {
    const gaps = await transaction.rows(FIND_GAPS);
    const named = gaps.map((gap) => (gap.first === gap.last ? `${gap.first}` : `${gap.first} to ${gap.last}`));
    const detail = `The log contains ${stored_events} stored events up to position ${last}, but none at ${named.join(', ')}.`;
    faults.push(faultOf('log_positions', null, detail));
  }
  return faults;
}

/** Reads only the bodies' keys, because the bodies make up most of the log. */
const FIND_TRIPS_WITHOUT_BODY = statement('audit-find-bodiless', { position: 'number', found: 'number' })`
  SELECT event.position, count(*) OVER () AS found FROM stored_event event
  WHERE event.kind = ${TRIP_PROCESSED} AND NOT EXISTS (SELECT FROM trip_body body WHERE body.position = event.position)
  ORDER BY event.position LIMIT ${MAX_SAMPLES}`;

/** Checks that every processed trip has a body. */
export async function checkBodies(transaction: Transaction): Promise<AuditFault[]> {
  const missing = await transaction.rows(FIND_TRIPS_WITHOUT_BODY);
  const found = missing[0]?.found ?? 0;
  if (found === 0) return [];
  const positions = missing.map(({ position }) => position);
  const more = found > positions.length ? ` and ${found - positions.length} more` : '';
  const detail = `Processed trips have no body in the log: positions ${positions.join(', ')}${more}.`;
  return [faultOf('missing_body', null, detail, await nameStoredEvents(transaction, positions))];
}

/**
 * Earlier releases counted duplicates without storing them, so a source may have counted more duplicates than are
 * stored.
 */
const MISCOUNTED_SOURCES = statement('audit-miscounted-sources', {
  topic: 'text',
  ...columns('number', 'partition', 'records_read', 'records_stored', 'records_duplicate', 'records_dead_letter'),
  ...columns('number', 'records_elsewhere', 'stored', 'duplicates', 'dead_letters'),
})`
  SELECT topic, partition, records_read, records_stored, records_duplicate, records_dead_letter, records_elsewhere,
    coalesce(stored, 0) AS stored, coalesce(duplicates, 0) AS duplicates, coalesce(dead_letters, 0) AS dead_letters
  FROM log_source
  LEFT JOIN (SELECT source_id, count(*) AS stored FROM stored_event GROUP BY source_id) event USING (source_id)
  LEFT JOIN (SELECT source_id, count(*) AS duplicates FROM duplicate_record GROUP BY source_id) again USING (source_id)
  LEFT JOIN (SELECT source_id, count(*) AS dead_letters FROM dead_letter
             WHERE resolution IS NULL OR resolution = 'discarded' GROUP BY source_id) letter USING (source_id)
  WHERE records_read <> records_stored + records_duplicate + records_dead_letter + records_elsewhere
    OR records_stored <> coalesce(stored, 0) OR records_dead_letter <> coalesce(dead_letters, 0)
    OR records_duplicate < coalesce(duplicates, 0)
  ORDER BY topic, partition LIMIT ${MAX_SAMPLES}`;

/** Checks that each source's counts add up and match the log. */
export async function checkSources(transaction: Transaction): Promise<AuditFault[]> {
  const sources = await transaction.rows(MISCOUNTED_SOURCES);
  return sources.map((source) => {
    const counted = `${source.records_read} read = ${source.records_stored} stored + ${source.records_duplicate} duplicates + ${source.records_dead_letter} dead letters + ${source.records_elsewhere} in other lanes`;
    const found = `${source.stored} stored events, ${source.duplicates} duplicates and ${source.dead_letters} dead letters`;
    return faultOf(
      'source_counts',
      null,
      `Source ${source.topic}/${source.partition} counts ${counted}, but the log contains ${found} from it.`,
    );
  });
}
