import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { logChannelOf } from '@milepost/event-log/head';
import type { Pool } from '@milepost/postgres';
import type { Lane } from '@milepost/postgres/lanes';
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
  // If the signal aborted while the connection was being opened, the listener is not called.
  if (signal.aborted) end();
  try {
    const listening = client.query([...byChannel.keys()].map((channel) => `LISTEN ${channel}`).join('; '));
    // A hung server must not delay the stop.
    await Promise.race([listening, lost.promise]);
    await lost.promise;
  } finally {
    signal.removeEventListener('abort', end);
    // The connection does not return to the pool, because it would continue to receive notifications.
    client.release(true);
  }
}

/**
 * Wakes a lane's loop on every append to the lane. One connection listens for all lanes on a server and is opened again
 * when it is lost.
 *
 * @param pool connections to the server
 * @param wakeUps keyed by the lanes' schemas
 *
 * Exported for tests.
 */
export async function listenOnServer(
  pool: Pool,
  wakeUps: ReadonlyMap<string, WakeUp>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await listenOnce(pool, wakeUps, signal).catch(() => {});
    if (!signal.aborted) await delay(RECONNECT_MILLISECONDS, undefined, { signal }).catch(() => {});
  }
}

/** A lane, and the loop woken by its appends. */
interface WokenLane {
  lane: Lane;
  wakeUp: WakeUp;
}

/** Returns the server that currently has each lane; null if a lane's node in a cluster cannot be found. */
async function serversOf(lanes: readonly WokenLane[]): Promise<(string | null)[]> {
  return await Promise.all(lanes.map(async ({ lane: { host, url } }) => host?.usable().catch(() => null) ?? url));
}

/**
 * Wakes the lanes' loops on every append. A server sends notifications only to its own connections, so one connection
 * listens on each server that has lanes. When a lane moves to another node of a cluster, the lanes are grouped again.
 *
 * @param open opens a pool on a lane's server
 */
export async function listenForAppends(
  lanes: readonly WokenLane[],
  open: (lane: Lane) => Pool,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const servers = await serversOf(lanes);
    const moved = new AbortController();
    const ending = AbortSignal.any([signal, moved.signal]);
    const listening = Map.groupBy(lanes, (_, index) => servers[index])
      .entries()
      .map(async ([server, group]) => {
        const [first] = group;
        if (server === null || first === undefined) return;
        const pool = open(first.lane);
        await listenOnServer(pool, new Map(group.map(({ lane, wakeUp }) => [lane.schema, wakeUp])), ending);
        await pool.end();
      });
    const listened = Promise.all(listening);
    while (!ending.aborted) {
      await delay(RECONNECT_MILLISECONDS, undefined, { signal: ending }).catch(() => {});
      if (!isDeepStrictEqual(await serversOf(lanes), servers)) moved.abort();
    }
    await listened;
  }
}
