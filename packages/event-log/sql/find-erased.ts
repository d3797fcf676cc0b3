import type { Statement, Transaction } from '@milepost/postgres';

/** Whom and what a record is about, as far as it says. */
export interface RecordSubject {
  fleetId: string;
  driverId: string | null;
  /** 32 hex digits. */
  tripId: string | null;
}

/**
 * A trip belongs to the driver whom its highest revision names, and a deletion at the end is marked as the trip is; so a
 * trip that was corrected to another driver before the erasure goes on. Each driver of the batch is hashed once: within
 * the condition it would be once for each erasure there ever was.
 */
const FIND_ERASED: Statement = {
  name: 'find-erased',
  text: `WITH subject AS MATERIALIZED (
           SELECT * FROM unnest($1::text[], $2::text[], $3::uuid[]) WITH ORDINALITY
             AS subject (fleet_id, driver_id, trip_id, place)
         ), driver AS MATERIALIZED (
           SELECT fleet_id, driver_id, log.driver_hash(fleet_id, driver_id) AS hash
           FROM subject WHERE driver_id IS NOT NULL GROUP BY fleet_id, driver_id
         ), erased AS MATERIALIZED (
           SELECT fleet_id, driver_id FROM driver
           WHERE EXISTS (SELECT FROM log.erasure WHERE erasure.driver_hash = driver.hash)
             OR EXISTS (SELECT FROM log.erasure
               WHERE erasure.fleet_id = driver.fleet_id AND erasure.pseudonym = driver.driver_id))
         SELECT (place - 1)::integer AS index FROM subject
         WHERE (fleet_id, driver_id) IN (SELECT fleet_id, driver_id FROM erased)
           OR (SELECT event.erased FROM log.stored_event event
             WHERE event.trip_id = subject.trip_id ORDER BY event.revision DESC LIMIT 1) IS NOT NULL`,
};

/** The indexes of those among `subjects` that are about an erased driver, or a trip of one. */
export async function findErased(
  transaction: Transaction,
  subjects: readonly RecordSubject[],
): Promise<ReadonlySet<number>> {
  const rows = await transaction.rows<{ index: number }>(FIND_ERASED, [
    subjects.map((subject) => subject.fleetId),
    subjects.map((subject) => subject.driverId),
    subjects.map((subject) => subject.tripId),
  ]);
  return new Set(rows.map((row) => row.index));
}
