import { DEAD_LETTER } from '@milepost/dead-letters';
import { MAX_RECORD_BYTES } from '@milepost/domain/records';
import { DRIVER_PROFILE, TRIP_PROCESSED } from '@milepost/domain/vocabulary';
import { columns, type RowOf, statement } from '@milepost/postgres';

/** The source of a record. For a file, `partition` is the number of the run and `offset` is the line number. */
const ORIGIN = { topic: 'text', partition: 'number', offset: 'number' } as const;

const STORED_EVENT = {
  ...columns('number', 'position', 'kind', 'revision'),
  fleet_id: 'text',
  ...columns('text?', 'driver_id', 'trip_id', 'source_trip_id', 'traceparent'),
  ...columns('number?', 'trip_start_time', 'trip_end_time'),
  stored_at: 'timestamp',
  ...ORIGIN,
  effective: 'boolean',
  ...columns('number?', 'supersedes', 'superseded_by'),
  /** Why the stored event was set aside; null if it was not. */
  set_aside: 'text?',
} as const;
export type StoredEventRow = RowOf<typeof STORED_EVENT>;

/** SQL expressions for the columns of STORED_EVENT, in a query on `EVENT_WITH_SOURCE`. */
const EVENT_COLUMNS = `event.position, event.kind, event.fleet_id, event.driver_id,
  replace(event.trip_id::text, '-', '') AS trip_id, event.source_trip_id, event.trip_start_time, event.trip_end_time,
  event.revision, event.stored_at, source.topic, source.partition, event.source_offset AS "offset", event.traceparent, event.effective,
  event.supersedes, successor.position AS superseded_by, aside.reason AS set_aside`;

/** A stored event with its source and its successor. Each has at most one successor, because the log forbids forks. */
const EVENT_WITH_SOURCE = `stored_event event JOIN log_source source USING (source_id)
  LEFT JOIN stored_event successor ON successor.supersedes = event.position
  LEFT JOIN set_aside aside ON aside.position = event.position`;

/** A trip's latest stored events. */
export const TRIP_CHAIN = statement('lineage-trip-chain', STORED_EVENT)`
  SELECT ${EVENT_COLUMNS} FROM ${EVENT_WITH_SOURCE}
  WHERE event.trip_id = $1::uuid ORDER BY event.position DESC LIMIT $2`;

/** The stored events of a driver's profile, highest revision first. */
export const PROFILE_CHAIN = statement('lineage-profile-chain', STORED_EVENT)`
  SELECT ${EVENT_COLUMNS} FROM ${EVENT_WITH_SOURCE}
  WHERE event.kind = ${DRIVER_PROFILE} AND event.fleet_id = $1 AND event.driver_id = $2 ORDER BY event.revision DESC LIMIT $3`;

/**
 * All stored events about each trip that ever belonged to the driver on that day, trip by trip, in log order. A trip
 * matches if any effective revision assigned it to that day; the trip's other stored events show what has changed. The
 * condition matches the index `stored_event_driver_trips`. If the condition included events without effect, the
 * statement would scan the whole log.
 */
export const DRIVER_DAY_CHAINS = statement('lineage-driver-day-chains', STORED_EVENT)`
  WITH touching AS (
    SELECT trip_id, min(position) AS first_position FROM stored_event
    WHERE kind = ${TRIP_PROCESSED} AND effective AND fleet_id = $1 AND driver_id = $2
      AND trip_start_time >= $3 AND trip_start_time < $4
    GROUP BY trip_id)
  SELECT ${EVENT_COLUMNS} FROM ${EVENT_WITH_SOURCE} JOIN touching ON touching.trip_id = event.trip_id
  ORDER BY touching.first_position, event.position LIMIT $5`;

/** Whether any trip ever belonged to the driver. */
export const DRIVER_KNOWN = statement('lineage-driver-known', { known: 'boolean' })`
  SELECT EXISTS (SELECT FROM stored_event
  WHERE kind = ${TRIP_PROCESSED} AND effective AND fleet_id = $1 AND driver_id = $2) AS known`;

/** The latest duplicates of stored events. */
export const DUPLICATES = statement('lineage-duplicates', { position: 'number', received_at: 'timestamp', ...ORIGIN })`
  SELECT duplicate.position, duplicate.received_at, source.topic, source.partition,
    duplicate.source_offset AS "offset"
  FROM duplicate_record duplicate JOIN log_source source USING (source_id)
  WHERE duplicate.position = ANY($1::bigint[])
  ORDER BY duplicate.received_at DESC, duplicate.source_id DESC, duplicate.source_offset DESC LIMIT $2`;

/**
 * The latest dead letters about the given ids, including settled dead letters. Such a letter names the fleet and one of
 * the ids, or its first 256 KiB contain the fleet and one of the spellings. The concatenation with '' decompresses the
 * bytes once per letter instead of once per search, and OFFSET 0 keeps the planner from inlining it. Only the latest
 * letters are searched, because searching a letter takes 0.1 ms.
 */
export const NAMING_DEAD_LETTERS = statement('lineage-naming-letters', DEAD_LETTER)`
  SELECT letter.dead_letter_id AS id, letter.received_at, source.topic, source.partition,
    letter.source_offset AS "offset", letter.reason, letter.field, letter.message,
    octet_length(letter.raw) + letter.rest_bytes AS raw_bytes, letter.resolution, letter.resolved_at, letter.note
  FROM (SELECT * FROM dead_letter ORDER BY dead_letter_id DESC LIMIT $3) letter
  JOIN log_source source USING (source_id)
  CROSS JOIN LATERAL (SELECT letter.raw || ''::bytea AS bytes OFFSET 0) unpacked
  WHERE (letter.names && $5::bigint[] AND $6 = ANY(letter.fleets))
    OR (position($1::bytea IN unpacked.bytes) > 0
      AND EXISTS (SELECT FROM unnest($2::bytea[]) AS spelling WHERE position(spelling IN unpacked.bytes) > 0))
  ORDER BY letter.dead_letter_id DESC LIMIT $4`;

export type NamingDeadLetter = RowOf<typeof DEAD_LETTER>;

/**
 * Reads one dead letter at a time, because each may be several megabytes long. Returns only the first 256 KiB of a
 * record that is too long to read.
 */
export const DEAD_LETTER_BYTES = statement('lineage-letter-bytes', { raw: 'bytes?' })`
  SELECT raw || coalesce((
    SELECT string_agg(bytes, ''::bytea ORDER BY chunk) FROM dead_letter_chunk chunk
    WHERE chunk.dead_letter_id = letter.dead_letter_id AND letter.rest_bytes <= ${MAX_RECORD_BYTES}), '') AS raw
  FROM dead_letter letter WHERE dead_letter_id = $1`;

/** Whether there are more than `$1` dead letters. */
export const MORE_DEAD_LETTERS = statement('lineage-more-letters', { more: 'boolean' })`
  SELECT EXISTS (SELECT FROM dead_letter OFFSET $1) AS more`;
