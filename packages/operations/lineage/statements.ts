import { DRIVER_PROFILE, TRIP_PROCESSED } from '@milepost/domain/stored-event';
import { boolean, bytes, nullable, number, type RowOf, statement } from '@milepost/postgres';
import { DeadLetter } from '../dead-letters/schemas.ts';
import { columnsOf } from '../schemas.ts';
import { Duplicate, StoredEvent } from './schemas.ts';

const { state: _, ...TRACED } = columnsOf(StoredEvent);
/** A stored event as a statement reads it from the log. */
const STORED_EVENT = { ...TRACED, kind: number };
export type StoredEventRow = RowOf<typeof STORED_EVENT>;

/** SQL of these columns, of `event` from `EVENT_WITH_SOURCE`. */
const EVENT_COLUMNS = `event.position, event.kind, event.fleet_id, event.driver_id,
  replace(event.trip_id::text, '-', '') AS trip_id, event.source_trip_id, event.trip_start_time, event.trip_end_time,
  event.revision, event.stored_at, source.topic, source.partition, event.source_offset AS "offset", event.effective,
  event.supersedes, successor.position AS superseded_by`;

/** A stored event with where it came from and what took its place: at most one, as the log forbids forks. */
const EVENT_WITH_SOURCE = `log.stored_event event JOIN log.source source USING (source_id)
  LEFT JOIN log.stored_event successor ON successor.supersedes = event.position`;

/** The newest stored events of a trip. */
export const TRIP_CHAIN = statement('lineage-trip-chain', STORED_EVENT)`
  SELECT ${EVENT_COLUMNS} FROM ${EVENT_WITH_SOURCE}
  WHERE event.trip_id = $1::uuid ORDER BY event.position DESC LIMIT $2`;

/** The stored events of a driver's profile, the highest revisions first. */
export const PROFILE_CHAIN = statement('lineage-profile-chain', STORED_EVENT)`
  SELECT ${EVENT_COLUMNS} FROM ${EVENT_WITH_SOURCE}
  WHERE event.kind = ${DRIVER_PROFILE} AND event.fleet_id = $1 AND event.driver_id = $2 ORDER BY event.revision DESC LIMIT $3`;

/**
 * Every stored event of every trip that was ever the driver's on that day, trip by trip, each in the order of the log.
 * A trip belongs to the day's story if any revision with effect ever put it there; where it went afterwards, or that it was
 * deleted, is told by the rest of its chain. The condition is that of the index `stored_event_driver_trips`: with stored
 * events without effect, which never put a trip anywhere, it would be a scan of the whole log.
 */
export const DRIVER_DAY_CHAINS = statement('lineage-driver-day-chains', STORED_EVENT)`
  WITH touching AS (
    SELECT trip_id, min(position) AS first_position FROM log.stored_event
    WHERE kind = ${TRIP_PROCESSED} AND effective AND fleet_id = $1 AND driver_id = $2
      AND trip_start_time >= $3 AND trip_start_time < $4
    GROUP BY trip_id)
  SELECT ${EVENT_COLUMNS} FROM ${EVENT_WITH_SOURCE} JOIN touching ON touching.trip_id = event.trip_id
  ORDER BY touching.first_position, event.position LIMIT $5`;

/** Whether any trip was ever the driver's. */
export const DRIVER_KNOWN = statement('lineage-driver-known', { known: boolean })`
  SELECT EXISTS (SELECT FROM log.stored_event
  WHERE kind = ${TRIP_PROCESSED} AND effective AND fleet_id = $1 AND driver_id = $2) AS known`;

/** The newest duplicates of stored events. */
export const DUPLICATES = statement('lineage-duplicates', columnsOf(Duplicate))`
  SELECT duplicate.position, duplicate.received_at, source.topic, source.partition,
    duplicate.source_offset AS "offset"
  FROM log.duplicate duplicate JOIN log.source source USING (source_id)
  WHERE duplicate.position = ANY($1::bigint[])
  ORDER BY duplicate.received_at DESC, duplicate.source_id DESC, duplicate.source_offset DESC LIMIT $2`;

/**
 * The newest dead letters, settled ones too, whose bytes hold the fleet and one of the spellings. The bytes are concatenated with nothing so that they are unpacked once for each letter and not once for each search, and
 * OFFSET 0 keeps the planner from undoing that. Only the newest letters are searched: it takes 0.1 ms for each.
 */
export const NAMING_LETTERS = statement('lineage-naming-letters', columnsOf(DeadLetter))`
  SELECT letter.dead_letter_id AS id, letter.received_at, source.topic, source.partition,
    letter.source_offset AS "offset", letter.reason, letter.field, letter.message,
    octet_length(letter.raw) AS raw_bytes, letter.resolution, letter.resolved_at, letter.note
  FROM (SELECT * FROM log.dead_letter ORDER BY dead_letter_id DESC LIMIT $3) letter
  JOIN log.source source USING (source_id)
  CROSS JOIN LATERAL (SELECT letter.raw || ''::bytea AS bytes OFFSET 0) unpacked
  WHERE position($1::bytea IN unpacked.bytes) > 0
    AND EXISTS (SELECT FROM unnest($2::bytea[]) AS spelling WHERE position(spelling IN unpacked.bytes) > 0)
  ORDER BY letter.dead_letter_id DESC LIMIT $4`;

/** One at a time, as each may have megabytes. */
export const LETTER_BYTES = statement('lineage-letter-bytes', { raw: nullable(bytes) })`
  SELECT raw FROM log.dead_letter WHERE dead_letter_id = $1`;

/** Whether there are more dead letters than so many. */
export const MORE_LETTERS = statement('lineage-more-letters', { more: boolean })`
  SELECT EXISTS (SELECT FROM log.dead_letter OFFSET $1) AS more`;
