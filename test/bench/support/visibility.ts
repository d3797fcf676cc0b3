import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { ReadingApi } from './reading-api.ts';

const DATABASE_REST_MILLISECONDS = 5;
const HTTP_REST_MILLISECONDS = 20;
const MAX_WAIT_MILLISECONDS = 60_000;

/** What an observer measured, in milliseconds. */
interface Seen {
  /** From when a trip was due until the observer saw it. The polling interval is not subtracted. */
  waits: number[];
  /** The polling intervals of the observer. */
  intervals: number[];
}

/** Polls until trips are visible. `watch` adds a trip, and `seen` resolves when all trips have been seen. */
interface Observer {
  watch: (tripId: string, since: number) => void;
  seen: () => Promise<Seen>;
}

/** Calls `look`, with pauses, until it returns true because all trips have been seen. Returns the intervals. */
async function poll(restMilliseconds: number, look: () => Promise<boolean>): Promise<number[]> {
  const intervals: number[] = [];
  for (;;) {
    const start = performance.now();
    if (await look()) return intervals;
    await delay(restMilliseconds);
    intervals.push(performance.now() - start);
  }
}

/** Starts an observer. Its loop ends once the final trip has been added and `isDone` is true. */
function observer(
  restMilliseconds: number,
  watch: Observer['watch'],
  look: () => Promise<void>,
  isDone: () => Promise<boolean>,
  waits: () => Promise<number[]>,
): Observer {
  let endedAt = Number.POSITIVE_INFINITY;
  const looking = poll(restMilliseconds, async () => {
    await look();
    if (performance.now() < endedAt) return false;
    if (await isDone()) return true;
    if (performance.now() - endedAt > MAX_WAIT_MILLISECONDS) throw new Error('A trip is not visible after one minute.');
    return false;
  });
  // `seen` throws this error. Until `seen` is called, the rejection must not count as unhandled.
  looking.catch(() => {});
  return {
    watch,
    seen: async () => {
      endedAt = performance.now();
      return { intervals: await looking, waits: await waits() };
    },
  };
}

/**
 * Polls the checkpoint of the read tables over its own connection. It reads the trips' positions only at the end,
 * because a query for each trip would cost as much as storing the trip.
 *
 * @param lastPosition returns the head of the log once all published trips are stored
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
        text: 'SELECT min(checkpoint) AS position FROM generation WHERE live',
      });
      const position = Number(rows[0]?.position);
      if (position !== shown.at(-1)?.position) shown.push({ position, at: performance.now() });
    },
    async () => (shown.at(-1)?.position ?? 0) >= lastPosition(),
    async () => {
      const { rows } = await database.query<{ trip_id: string; position: string }>(
        `SELECT replace(trip_id::text, '-', '') AS trip_id, position FROM stored_event WHERE trip_id = ANY($1::uuid[])`,
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

/** Requests the detail of each trip from the API, which is meant for a few trips at a time. */
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
        if (!answer.ok && answer.status !== 404) throw new Error(`The API returned status ${answer.status}.`);
        if (!answer.ok) continue;
        waits.push(performance.now() - since);
        pending.delete(tripId);
      }
    },
    async () => pending.size === 0,
    async () => waits,
  );
}
