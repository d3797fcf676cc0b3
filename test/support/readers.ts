import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from '@milepost/postgres';

interface Reading<Answer> {
  answers: Answer[];
  /** How long each read took, in milliseconds. */
  waits: number[];
}

/**
 * Runs `count` concurrent readers, which pause for a millisecond between reads, until `work` is done.
 *
 * @param ask throws if a result is wrong; the first such error is thrown once `work` is done
 */
export async function whileReading<Answer, Result>(
  count: number,
  ask: (reader: number) => Promise<Answer>,
  work: () => Promise<Result>,
): Promise<Reading<Answer> & { result: Result }> {
  const reading: Reading<Answer> = { answers: [], waits: [] };
  const errors: unknown[] = [];
  const done = new AbortController();
  const readers = Array.from({ length: count }, async (_, reader) => {
    while (!done.signal.aborted) {
      const start = performance.now();
      await ask(reader).then(
        (answer) => reading.answers.push(answer),
        (error: unknown) => errors.push(error),
      );
      reading.waits.push(performance.now() - start);
      await delay(1);
    }
  });
  const working = work().finally(() => done.abort());
  const [result] = await Promise.all([working, ...readers]);
  if (errors.length > 0) throw errors[0];
  return { ...reading, result };
}

/**
 * Opens all of a pool's connections and sets their lock timeout. PostgreSQL then limits only the time for which a
 * reader waits for other sessions. Other delays on a busy machine do not count.
 */
export async function limitLockWaits(pool: Pool, milliseconds: number): Promise<void> {
  const clients = await Promise.all(Array.from({ length: pool.options.max }, async () => await pool.connect()));
  for (const client of clients) {
    await client.query(`SET lock_timeout = ${milliseconds}`);
    client.release();
  }
}
