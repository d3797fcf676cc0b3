import { boolean, statement, type Transaction, table, tableStatement } from '@milepost/postgres';
import type { PositionRange } from '../engine/index.ts';
import { SUPERSEDED_TRIPS } from './range.ts';

const SUPERSEDES_TRIPS = statement('log:supersedes-trips', { found: boolean })`
  SELECT EXISTS (SELECT FROM ${SUPERSEDED_TRIPS}) AS found`;

/**
 * Returns a function that deletes the rows of the trips that a range supersedes, which for most ranges are none.
 *
 * @param key the columns that, with fleet and driver, identify a trip in the table
 */
export function supersededTrips(projection: string, key: readonly string[]) {
  const isSame = ['fleet_id', 'driver_id', ...key].map((column) => `row.${column} = old.${column}`);
  const deleteOld = tableStatement(`${projection}:delete-superseded`)`
    DELETE FROM ${table} row USING (SELECT old.* FROM ${SUPERSEDED_TRIPS}) old WHERE ${isSame.join(' AND ')}`;
  return async (transaction: Transaction, range: PositionRange, table: string): Promise<void> => {
    const [{ found } = { found: true }] = await transaction.rows(SUPERSEDES_TRIPS, [range.after, range.through]);
    if (!found) return;
    await transaction.execute(deleteOld(table), [range.after, range.through]);
  };
}
