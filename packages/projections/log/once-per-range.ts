import type { Transaction } from '@milepost/postgres';
import type { PositionRange } from '../engine/index.ts';

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
