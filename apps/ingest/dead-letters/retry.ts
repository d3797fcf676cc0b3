import { parseRecord } from '@milepost/domain/records';
import { prepareRecord, type RetriedDeadLetter, retryDeadLetter } from '@milepost/event-log';
import type { Pool } from '@milepost/postgres';

export type { RetriedDeadLetter };

/**
 * Tries dead letters again with today's rules, in the order given.
 *
 * @param pool connections in the role `milepost_ingest`
 */
export async function retryDeadLetters(pool: Pool, ids: readonly number[]): Promise<RetriedDeadLetter[]> {
  const results: RetriedDeadLetter[] = [];
  for (const id of ids) {
    results.push(await retryDeadLetter(pool, id, (raw) => prepareRecord(parseRecord(raw, Date.now()))));
  }
  return results;
}
