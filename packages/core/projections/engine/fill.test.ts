import type { Transaction } from '@milepost/postgres';
import { expect, it } from 'vitest';
import { byPosition, rangeOf } from './fill.ts';

/** Stands in for a transaction, because the tested stages plan their chunks without the database. */
const NO_TRANSACTION: Transaction = Object.create(null);

async function planned(size: number, asOf: number) {
  const stage = byPosition(size, async () => {});
  const filling = { table: 'trips_2', tables: new Map(), asOf, cutoff: null };
  return (await stage.plan(NO_TRANSACTION, filling)).map((chunk) => ({ ...rangeOf(chunk), events: chunk.events }));
}

it('byPosition divides the log into chunks that cover each position once, and end at the last position', async () => {
  expect(await planned(10, 25)).toEqual([
    { after: 0, through: 10, events: 10 },
    { after: 10, through: 20, events: 10 },
    { after: 20, through: 25, events: 5 },
  ]);
  expect(await planned(10, 20)).toHaveLength(2);
  expect(await planned(10, 1)).toEqual([{ after: 0, through: 1, events: 1 }]);
  expect(await planned(10, 0)).toEqual([]);
});
