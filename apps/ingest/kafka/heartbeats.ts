import { setTimeout as delay } from 'node:timers/promises';
import { holdSources } from '@milepost/event-log';
import type { Pool } from '@milepost/postgres';
import type { Partition } from './partition.ts';

/** The maximum wait for a lane, so that one that does not respond cannot delay the other lanes' next heartbeats. */
const MAX_WAIT_MILLISECONDS = 5_000;

/** Records in each lane that its partitions are being read. Ignores errors, because the next heartbeat follows soon. */
export async function sendHeartbeats(
  pools: ReadonlyMap<number, Pool>,
  partitions: readonly Partition[],
): Promise<void> {
  const read = partitions.filter(({ claim }) => claim !== null);
  const sent = Array.from(pools, async ([lane, pool]) => {
    const claims = read.flatMap(({ source }) => source.claims.get(lane) ?? []);
    await holdSources(pool, claims).catch(() => {});
  });
  await Promise.race([Promise.all(sent), delay(MAX_WAIT_MILLISECONDS, undefined, { ref: false })]);
}
