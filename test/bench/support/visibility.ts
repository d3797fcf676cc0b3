import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { FLEET, type ReadingApi } from './reading-api.ts';

const DATABASE_REST_MILLISECONDS = 2;
const HTTP_REST_MILLISECONDS = 5;
const LONGEST_WAIT_MILLISECONDS = 60_000;

/** What an observer has seen, in milliseconds. */
export interface Seen {
  /** From a trip's due time until the observer had seen it; how coarse the observer is stays in it. */
  waits: number[];
  /** Between one look and the next: how coarse the observer is. */
  looks: number[];
}

/** Looks for trips again and again until they can be seen. `watch` adds one; `seen` ends when all have been seen. */
export interface Observer {
  watch: (tripId: string, since: number) => void;
  seen: () => Promise<Seen>;
}

function observe(
  restMilliseconds: number,
  /** Which of these can be seen. */
  look: (tripIds: readonly string[]) => Promise<string[]>,
): Observer {
  const pending = new Map<string, number>();
  const seen: Seen = { waits: [], looks: [] };
  let ending = false;
  const loop = async (): Promise<Seen> => {
    while (!ending || pending.size > 0) {
      const start = performance.now();
      const found = pending.size > 0 ? await look([...pending.keys()]) : [];
      const now = performance.now();
      for (const tripId of found) {
        seen.waits.push(now - (pending.get(tripId) ?? now));
        pending.delete(tripId);
      }
      const [oldest = now] = pending.values();
      if (now - oldest > LONGEST_WAIT_MILLISECONDS) throw new Error('A trip cannot be seen after a minute.');
      await delay(restMilliseconds);
      if (found.length > 0 || pending.size > 0) seen.looks.push(performance.now() - start);
    }
    return seen;
  };
  const looping = loop();
  // A failure is for whoever asks what was seen; until then it must not count as unhandled.
  looping.catch(() => {});
  return {
    watch: (tripId, since) => pending.set(tripId, since),
    seen: async () => {
      ending = true;
      return await looping;
    },
  };
}

/** Looks into the read tables, all trips at once, over a connection of its own. */
export function observeTables(database: Pool): Observer {
  return observe(DATABASE_REST_MILLISECONDS, async (tripIds) => {
    const { rows } = await database.query<{ trip_id: string }>({
      name: 'seen',
      text: `SELECT replace(trip_id::text, '-', '') AS trip_id FROM read.trips WHERE fleet_id = $1 AND trip_id = ANY($2::uuid[])`,
      values: [FLEET, tripIds],
    });
    return rows.map((row) => row.trip_id);
  });
}

/** Asks the API for each trip's detail; for a handful of trips at a time. */
export function observeApi({ base, headers }: ReadingApi): Observer {
  return observe(HTTP_REST_MILLISECONDS, async (tripIds) => {
    const found: string[] = [];
    for (const tripId of tripIds) {
      const answer = await fetch(`${base}/api/v1/trip/trip_id/${tripId}`, { headers });
      await answer.arrayBuffer();
      if (answer.ok) found.push(tripId);
      else if (answer.status !== 404) throw new Error(`The API answers ${answer.status}.`);
    }
    return found;
  });
}
