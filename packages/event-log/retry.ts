import type { Pool } from '@milepost/postgres';
import type { PreparedRecord } from './prepare.ts';
import { readRecord } from './read-record.ts';
import { batchesOf } from './retry-batches.ts';
import { type RetriedDeadLetter, retryDeadLetterBatch } from './retry-dead-letters.ts';
import { findRetryOrder } from './sql/find-retry-order.ts';

function prepare(raw: Uint8Array | null): PreparedRecord {
  return readRecord(raw, Date.now());
}

/**
 * Tries dead letters again with today's rules, by source and offset whatever the order of `ids`: a revision conflict goes to
 * the record that came first. Done in batches, each of which is settled once it has been committed.
 *
 * @param pool connections in the role `milepost_ingest`
 * @param onProgress hears how many of `ids` have been tried so far
 * @returns one result for each id, those that are not open last
 */
export async function retryDeadLetters(
  pool: Pool,
  ids: readonly number[],
  onProgress: (tried: number) => void = () => {},
): Promise<RetriedDeadLetter[]> {
  const candidates = await findRetryOrder(pool, ids);
  const results: RetriedDeadLetter[] = [];
  for (const batch of batchesOf(candidates)) {
    results.push(...(await retryDeadLetterBatch(pool, batch, prepare)));
    onProgress(results.length);
  }
  const known = new Set(candidates.map(({ id }) => id));
  for (const id of new Set(ids)) {
    if (!known.has(id)) results.push({ id, outcome: 'not_open', message: `There is no open dead letter ${id}.` });
  }
  return results;
}
