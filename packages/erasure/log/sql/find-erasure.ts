import type { Statement, Transaction } from '@milepost/postgres';

/** What is known of a driver before the erasure. `earlier*` say of the newest erasure before, if there was one. */
export interface ErasureState {
  hash: Buffer;
  pseudonym: string;
  earlierPosition: number | null;
  earlierKeptAggregates: boolean | null;
}

/** A driver who was erased with the aggregates kept may be named by the pseudonym as well: nobody need know the id by then. */
const FIND_ERASURE: Statement = {
  name: 'find-erasure',
  text: `WITH earlier AS (
           SELECT * FROM log.erasure
           WHERE fleet_id = $1 AND (pseudonym = $2 OR driver_hash = log.driver_hash($1, $2))
           ORDER BY position DESC LIMIT 1)
         SELECT driver.hash, 'erased-' || left(encode(driver.hash, 'hex'), 16) AS pseudonym,
           earlier.position AS "earlierPosition", earlier.keep_aggregates AS "earlierKeptAggregates"
         FROM (SELECT coalesce((SELECT driver_hash FROM earlier), log.driver_hash($1, $2)) AS hash) driver
         LEFT JOIN earlier ON true`,
};

/** The driver's hash and pseudonym, and whether the driver was erased before. */
export async function findErasure(transaction: Transaction, fleetId: string, driverId: string): Promise<ErasureState> {
  const [state] = await transaction.rows<ErasureState>(FIND_ERASURE, [fleetId, driverId]);
  if (!state) throw new Error('The driver could not be looked up.');
  return state;
}
