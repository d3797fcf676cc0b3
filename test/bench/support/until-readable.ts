import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';

const POLL_MILLISECONDS = 20;
const LONGEST_STANDSTILL_MILLISECONDS = 60_000;

/** Up to which position of the log all live read tables are; where every record is a trip of its own, how many trips. */
export async function readableTrips(database: Pool): Promise<number> {
  const { rows } = await database.query<{ trips: string | null }>({
    name: 'readable-trips',
    text: 'SELECT min(checkpoint) AS trips FROM projection.generation WHERE live',
  });
  return Number(rows[0]?.trips ?? 0);
}

/**
 * Looks every 20 ms until `total` trips can be read.
 *
 * @param readable how many can be by now; may throw to end the wait
 * @param onLook told of what each look has found, and when
 * @throws Error when nothing moves for a minute
 */
export async function untilReadable(
  readable: () => Promise<number>,
  total: number,
  onLook: (trips: number, at: number) => void = () => {},
): Promise<void> {
  let last = { trips: 0, at: performance.now() };
  for (;;) {
    const trips = await readable();
    const at = performance.now();
    onLook(trips, at);
    if (trips >= total) return;
    if (trips > last.trips) last = { trips, at };
    else if (at - last.at > LONGEST_STANDSTILL_MILLISECONDS) throw new Error(`${trips} of ${total} trips, then none.`);
    await delay(POLL_MILLISECONDS);
  }
}
