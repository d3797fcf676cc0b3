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

/** A lane in a cluster, and the loop woken by its appends. */
interface ClusterLane {
  lane: Lane;
  wakeUp: WakeUp;
}

/** Returns the nodes that currently own the lanes; an empty list if the nodes cannot be found. */
async function nodesOf(lanes: readonly ClusterLane[]): Promise<(string | undefined)[]> {
  return await Promise.all(lanes.map(({ lane }) => lane.host?.usable())).catch(() => []);
}

/**
 * Works like `listenForAppends`, but for the lanes in a cluster. A node sends notifications only to its own
 * connections, so one connection listens on each node that owns lanes. When a lane moves, the lanes are grouped again.
 *
 * @param open opens a pool on a lane's node
 */
export async function listenOnNodes(
  lanes: readonly ClusterLane[],
  open: (lane: Lane) => Pool,
  signal: AbortSignal,
): Promise<void> {
  while (lanes.length > 0 && !signal.aborted) {
    const nodes = await nodesOf(lanes);
    const groups = Map.groupBy(nodes.length > 0 ? lanes : [], (_, index) => nodes[index]);
    const moved = new AbortController();
    const ending = AbortSignal.any([signal, moved.signal]);
    const listening = [...groups.values()].map(async (group) => {
      const [first] = group;
      if (first === undefined) return;
      const pool = open(first.lane);
      await listenForAppends(pool, new Map(group.map(({ lane, wakeUp }) => [lane.schema, wakeUp])), ending);
      await pool.end();
    });
    while (!ending.aborted) {
      await delay(RECONNECT_MILLISECONDS, undefined, { signal: ending }).catch(() => {});
      if (!isDeepStrictEqual(await nodesOf(lanes), nodes)) moved.abort();
    }
    await Promise.all(listening);
  }
}
