import type { Statement, Transaction } from '@milepost/postgres';
import type { Pair } from '../steps/align.ts';

const READ_HORIZON: Statement = {
  name: 'read-horizon',
  text: `SELECT max(horizon) AS horizon FROM projection.generation
         WHERE (projection, generation) IN (SELECT * FROM unnest($1::text[], $2::integer[]))`,
};

/** The first day that every generation of the pairs keeps; null when all keep everything. */
export async function readHorizon(transaction: Transaction, pairs: readonly Pair[]): Promise<string | null> {
  const generations = pairs.flatMap(({ live, replayed }) => [live, replayed]);
  const [row] = await transaction.rows<{ horizon: string | null }>(READ_HORIZON, [
    generations.map(({ projection }) => projection),
    generations.map(({ generation }) => generation),
  ]);
  return row?.horizon ?? null;
}
