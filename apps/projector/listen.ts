import { setTimeout as delay } from 'node:timers/promises';
import { LOG_CHANNEL } from '@milepost/event-log';
import type { Pool } from '@milepost/postgres';
import type { WakeUp } from '@milepost/projections/engine';

const RECONNECT_MILLISECONDS = 1_000;

async function listenOnce(pool: Pool, wakeUp: WakeUp, signal: AbortSignal): Promise<void> {
  const client = await pool.connect();
  const lost = Promise.withResolvers<void>();
  const end = () => lost.resolve();
  client.on('notification', () => wakeUp.notify());
  client.on('error', end);
  client.on('end', end);
  signal.addEventListener('abort', end, { once: true });
  try {
    await client.query(`LISTEN ${LOG_CHANNEL}`);
    await lost.promise;
  } finally {
    signal.removeEventListener('abort', end);
    // A connection that has listened must not go back into the pool: it would go on receiving notifications.
    client.release(true);
  }
}

/** Wakes the projector at every append, over a connection of its own that is opened anew whenever it is lost. */
export async function listenForAppends(pool: Pool, wakeUp: WakeUp, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await listenOnce(pool, wakeUp, signal).catch(() => {});
    if (!signal.aborted) await delay(RECONNECT_MILLISECONDS, undefined, { signal }).catch(() => {});
  }
}
