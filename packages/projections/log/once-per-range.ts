import { boolean, statement, type Transaction, table, tableStatement } from '@milepost/postgres';
import type { PositionRange } from '../engine/index.ts';
import { SUPERSEDED_TRIPS } from './range.ts';

type ReadRange<Result> = (transaction: Transaction, range: PositionRange) => Promise<Result>;

/** Makes of `read`, which several projections ask alike, one that asks the database once per batch: transaction and range. */
export function oncePerRange<Result>(read: ReadRange<Result>): ReadRange<Result> {
  const asked = new WeakMap<Transaction, { range: PositionRange; result: Promise<Result> }>();
  return async (transaction, range) => {
    const before = asked.get(transaction);
    if (before?.range.after === range.after && before.range.through === range.through) return await before.result;
    const result = read(transaction, range);
    asked.set(transaction, { range, result });
    return await result;
  };
}

const SUPERSEDES_TRIPS = statement('log:supersedes-trips', { found: boolean })`
  SELECT EXISTS (SELECT FROM ${SUPERSEDED_TRIPS}) AS found`;

const supersedesTrips = oncePerRange(async (transaction, { after, through }) => {
  const [row] = await transaction.rows(SUPERSEDES_TRIPS, [after, through]);
  return row?.found ?? true;
});

/**
 * Makes what removes the rows of the trips that a range has superseded. In most ranges there are none, and nothing is deleted.
 *
 * @param key the columns, beside fleet and driver, by which the table finds a trip
 */
export function supersededTrips(projection: string, key: readonly string[]) {
  const isSame = ['fleet_id', 'driver_id', ...key].map((column) => `row.${column} = old.${column}`);
  const deleteOld = tableStatement(`${projection}:delete-superseded`)`
    DELETE FROM ${table} row USING (SELECT old.* FROM ${SUPERSEDED_TRIPS}) old WHERE ${isSame.join(' AND ')}`;
  return async (transaction: Transaction, range: PositionRange, table: string): Promise<void> => {
    if (!(await supersedesTrips(transaction, range))) return;
    await transaction.execute(deleteOld(table), [range.after, range.through]);
  };
}
