import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { ReadingApi } from './reading-api.ts';

const DATABASE_REST_MILLISECONDS = 5;
const HTTP_REST_MILLISECONDS = 20;
const LONGEST_WAIT_MILLISECONDS = 60_000;

/** What an observer has seen, in milliseconds. */
interface Seen {
  /** From a trip's due time until the observer had seen it; how coarse the observer is stays in it. */
  waits: number[];
  /** Between one look and the next: how coarse the observer is. */
  looks: number[];
}

/** Looks for trips again and again until they can be seen. `watch` adds one; `seen` ends when all have been seen. */
interface Observer {
  watch: (tripId: string, since: number) => void;
  seen: () => Promise<Seen>;
}

/** Calls `look` with a rest between, until it says that nothing is left to be looked for. */
async function lookOften(restMilliseconds: number, look: () => Promise<boolean>): Promise<number[]> {
  const looks: number[] = [];
  for (;;) {
    const start = performance.now();
    if (await look()) return looks;
    await delay(restMilliseconds);
    looks.push(performance.now() - start);
  }
}

/** An observer whose loop runs from now on, until `isDone` once no more is added. */
function observer(
  restMilliseconds: number,
  watch: Observer['watch'],
  look: () => Promise<void>,
  isDone: () => Promise<boolean>,
  waits: () => Promise<number[]>,
): Observer {
  let endedAt = Number.POSITIVE_INFINITY;
  const looking = lookOften(restMilliseconds, async () => {
    await look();
    if (performance.now() < endedAt) return false;
    if (await isDone()) return true;
    if (performance.now() - endedAt > LONGEST_WAIT_MILLISECONDS)
      throw new Error('A trip cannot be seen after a minute.');
    return false;
  });
  // A failure is for whoever asks what was seen; until then it must not count as unhandled.
  looking.catch(() => {});
  return {
    watch,
    seen: async () => {
      endedAt = performance.now();
      return { looks: await looking, waits: await waits() };
    },
  };
}

/**
 * Looks up to which position of the log the read tables show, over a connection of its own, and asks only in the end at which
 * positions the trips were: looked for one by one, they would cost as much as to make them.
 *
 * @param lastPosition of the log, once all that was published is stored
 */
export function observeTables(database: Pool, lastPosition: () => number): Observer {
  const watched = new Map<string, number>();
  const shown: { position: number; at: number }[] = [];
  return observer(
    DATABASE_REST_MILLISECONDS,
    (tripId, since) => watched.set(tripId, since),
    async () => {
      const { rows } = await database.query<{ position: string }>({
        name: 'shown',
        text: 'SELECT position FROM read.position',
      });
      const position = Number(rows[0]?.position);
      if (position !== shown.at(-1)?.position) shown.push({ position, at: performance.now() });
    },
    async () => (shown.at(-1)?.position ?? 0) >= lastPosition(),
    async () => {
      const { rows } = await database.query<{ trip_id: string; position: string }>(
        `SELECT replace(trip_id::text, '-', '') AS trip_id, position FROM log.stored_event WHERE trip_id = ANY($1::uuid[])`,
        [[...watched.keys()]],
      );
      if (rows.length !== watched.size) throw new Error(`${rows.length} of ${watched.size} trips were stored.`);
      return rows.map(({ trip_id, position }) => {
        const seen = shown.find((look) => look.position >= Number(position));
        return (seen?.at ?? Number.NaN) - (watched.get(trip_id) ?? Number.NaN);
      });
    },
  );
}

/** Asks the API for each trip's detail; for a handful of trips at a time. */
export function observeApi({ base, headers }: ReadingApi): Observer {
  const pending = new Map<string, number>();
  const waits: number[] = [];
  return observer(
    HTTP_REST_MILLISECONDS,
    (tripId, since) => pending.set(tripId, since),
    async () => {
      for (const [tripId, since] of pending) {
        const answer = await fetch(`${base}/api/v1/trip/trip_id/${tripId}`, { headers });
        await answer.arrayBuffer();
        if (!answer.ok && answer.status !== 404) throw new Error(`The API answers ${answer.status}.`);
        if (!answer.ok) continue;
        waits.push(performance.now() - since);
        pending.delete(tripId);
      }
    },
    async () => pending.size === 0,
    async () => waits,
  );
}
