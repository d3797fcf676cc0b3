import { STORED_EVENT_KINDS } from '@milepost/domain/vocabulary';
import { columns, type RowOf, statement, type Transaction } from '@milepost/postgres';

const MAX_NAMED = 10;

const COLUMNS = {
  ...columns('number', 'position', 'revision', 'offset'),
  ...columns('text', 'kind', 'fleet_id'),
  ...columns('text?', 'driver_id', 'trip_id', 'topic'),
  partition: 'number?',
} as const;

/** A stored event, with its source and its offset in that source. */
export type NamedStoredEvent = RowOf<typeof COLUMNS>;

const KINDS = Object.entries(STORED_EVENT_KINDS).map(([name, kind]) => `WHEN ${kind} THEN '${name}'`);

const STORED_EVENT = `event.position, CASE event.kind ${KINDS.join(' ')} END AS kind, event.fleet_id, event.driver_id, replace(event.trip_id::text, '-', '') AS trip_id, event.revision,
  source.topic, source.partition, event.source_offset AS "offset"`;

const NAME_STORED_EVENTS = statement('name-stored-events', COLUMNS)`
  SELECT ${STORED_EVENT} FROM stored_event event LEFT JOIN log_source source USING (source_id)
  WHERE event.position = ANY ($1) ORDER BY event.position DESC LIMIT ${MAX_NAMED}`;

/** Reads the stored events at these positions, except for positions that are not in the log. */
export async function nameStoredEvents(
  transaction: Transaction,
  positions: readonly number[],
): Promise<NamedStoredEvent[]> {
  if (positions.length === 0) return [];
  return await transaction.rows(NAME_STORED_EVENTS, [positions]);
}

/**
 * Finds the stored events from which each row is computed, in the order of the rows.
 *
 * @param causes SQL that lists the positions of one row (`Audit`)
 */
export async function findCauses(
  transaction: Transaction,
  causes: string,
  rows: readonly { day: string | null; key: string }[],
): Promise<NamedStoredEvent[][]> {
  if (rows.length === 0) return [];
  const found = await transaction.unprepared(
    { place: 'number', ...COLUMNS },
    `SELECT wanted.place, ${STORED_EVENT}
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (day, key, place)
     CROSS JOIN LATERAL (SELECT position FROM (${causes}) found ORDER BY position DESC LIMIT ${MAX_NAMED}) cause
     JOIN stored_event event USING (position) LEFT JOIN log_source source USING (source_id)
     ORDER BY wanted.place, event.position DESC`,
    [rows.map(({ day }) => day), rows.map(({ key }) => key)],
  );
  return rows.map((_, index) =>
    found.filter(({ place }) => place === index + 1).map(({ place: _, ...event }) => event),
  );
}
