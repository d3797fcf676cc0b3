import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';

const POLL_MILLISECONDS = 20;
const MAX_STALL_MILLISECONDS = 60_000;

/**
 * Returns the lowest checkpoint of the live read tables. If every record is a new trip, this is the number of readable
 * trips.
 */
export async function readableTrips(database: Pool): Promise<number> {
  const { rows } = await database.query<{ trips: string | null }>({
    name: 'readable-trips',
    text: 'SELECT min(checkpoint) AS trips FROM generation WHERE live',
  });
  return Number(rows[0]?.trips ?? 0);
}

/**
 * Polls every 20 ms until `total` trips are readable.
 *
 * @param readable returns how many trips are readable; may throw to end the wait
 * @throws Error when no trip becomes readable for a minute
 */
export async function untilReadable(readable: () => Promise<number>, total: number): Promise<void> {
  let last = { trips: 0, at: performance.now() };
  for (;;) {
    const trips = await readable();
    const at = performance.now();
    if (trips >= total) return;
    if (trips > last.trips) last = { trips, at };
    else if (at - last.at > MAX_STALL_MILLISECONDS)
      throw new Error(`${trips} of ${total} trips are readable, and no more followed for a minute.`);
    await delay(POLL_MILLISECONDS);
  }
}
