import type { Statement, Transaction } from '@milepost/postgres';

/**
 * A trip belongs to the driver whom its highest revision names, and a deletion at the end is marked as the trip is; so a
 * trip that was corrected to another driver before the erasure goes on. Each driver is hashed once, and only those of fleets
 * with erasures: within the condition it would be once for each erasure there ever was.
 */
const FIND_ERASED: Statement = {
  name: 'find-erased',
  text: `WITH driver AS MATERIALIZED (
           SELECT subject, split_part(subject, '/', 1) AS fleet_id, substr(subject, strpos(subject, '/') + 1) AS driver_id
           FROM unnest($1::text[]) AS subject
         ), hashed AS MATERIALIZED (
           SELECT *, log.driver_hash(fleet_id, driver_id) AS hash FROM driver
           WHERE EXISTS (SELECT FROM log.erasure WHERE erasure.fleet_id = driver.fleet_id)
         )
         SELECT subject FROM hashed
         WHERE EXISTS (SELECT FROM log.erasure WHERE erasure.driver_hash = hashed.hash)
           OR EXISTS (SELECT FROM log.erasure
             WHERE erasure.fleet_id = hashed.fleet_id AND erasure.pseudonym = hashed.driver_id)
         UNION ALL
         SELECT subject FROM unnest($2::text[]) AS subject
         WHERE (SELECT event.erased FROM log.stored_event event
           WHERE event.trip_id = subject::uuid ORDER BY event.revision DESC LIMIT 1) IS NOT NULL`,
};

/**
 * Those among `subjects` that are an erased driver, or a trip of one.
 *
 * @param subjects drivers as `fleet_id/driver_id`, trips as 32 hex digits
 */
export async function findErased(
  transaction: Transaction,
  subjects: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const { drivers = [], trips = [] } = Object.groupBy(subjects, (subject) =>
    subject.includes('/') ? 'drivers' : 'trips',
  );
  const rows = await transaction.rows<{ subject: string }>(FIND_ERASED, [drivers, trips]);
  return new Set(rows.map(({ subject }) => subject));
}

const LIST_ERASED_FLEETS: Statement = {
  name: 'list-erased-fleets',
  text: 'SELECT DISTINCT fleet_id FROM log.erasure',
};

/** The fleets of which drivers were erased. */
export async function listErasedFleets(transaction: Transaction): Promise<string[]> {
  const rows = await transaction.rows<{ fleet_id: string }>(LIST_ERASED_FLEETS);
  return rows.map((row) => row.fleet_id);
}
