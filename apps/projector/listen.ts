import { setTimeout as delay } from 'node:timers/promises';
import { logChannelOf } from '@milepost/event-log/head';
import type { Pool } from '@milepost/postgres';
import type { WakeUp } from '@milepost/projections/engine';

const RECONNECT_MILLISECONDS = 1_000;

async function listenOnce(pool: Pool, wakeUps: ReadonlyMap<string, WakeUp>, signal: AbortSignal): Promise<void> {
  const client = await pool.connect();
  const lost = Promise.withResolvers<void>();
  const end = () => lost.resolve();
  const byChannel = new Map([...wakeUps].map(([schema, wakeUp]) => [logChannelOf(schema), wakeUp]));
  client.on('notification', ({ channel }) => byChannel.get(channel)?.notify());
  client.on('error', end);
  client.on('end', end);
  signal.addEventListener('abort', end, { once: true });
  try {
    await client.query([...byChannel.keys()].map((channel) => `LISTEN ${channel}`).join('; '));
    await lost.promise;
  } finally {
    signal.removeEventListener('abort', end);
    // The connection is not returned to the pool, because it would continue to receive notifications.
    client.release(true);
  }
}

/**
 * Wakes the loop of a lane at every append to the lane. One connection listens for all lanes of a server, and is opened
 * again when it is lost.
 *
 * @param pool connections to the server
 * @param wakeUps by the schemas of the lanes
 */
export async function listenForAppends(
  pool: Pool,
  wakeUps: ReadonlyMap<string, WakeUp>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await listenOnce(pool, wakeUps, signal).catch(() => {});
    if (!signal.aborted) await delay(RECONNECT_MILLISECONDS, undefined, { signal }).catch(() => {});
  }
}
