import { setTimeout as delay } from 'node:timers/promises';
import { columns, number, type Pool, unprepared } from '@milepost/postgres';
import { type Projection, viewOf } from '@milepost/projections/engine';
import { renewLease } from './lease.ts';
import type { Replay } from './replay.ts';
import type { Automatic, Load } from './throttle/automatic.ts';
import type { Throttled } from './throttle/throttled.ts';

/** Often enough that a pause or another throttle is felt at once, and the lease never runs out. */
const RENEW_MILLISECONDS = 500;
const OBSERVE_MILLISECONDS = 200;
const ROWS_READ = 50;

/**
 * Keeps the lease while a step runs, and aborts it when the operator wants something else or another worker has taken
 * over. A database that is away for a while is no reason to stop: the steps wait for it too.
 */
export async function keepLease(
  pool: Pool,
  replay: Replay,
  epoch: number,
  throttled: Throttled,
  step: AbortController,
  done: AbortSignal,
): Promise<void> {
  while (!done.aborted) {
    await delay(RENEW_MILLISECONDS, undefined, { signal: done }).catch(() => {});
    if (done.aborted) return;
    try {
      const wanted = await renewLease(pool, replay.id, epoch, throttled.rates());
      if (wanted === null || wanted.halted !== null || wanted.phase !== replay.phase) step.abort();
      else throttled.throttle = wanted.throttle;
    } catch (error) {
      throttled.onRetry?.(error, RENEW_MILLISECONDS);
    }
  }
}

/**
 * How readers and the live projections fare at this moment. The read is timed by the server, from when it takes up the
 * statement: our own process is busy with the replay, and would measure itself. Live generations that nobody advances,
 * because they belong to another version or stand still, do not count: the replay may be what mends them.
 */
async function observeLoad(pool: Pool, projections: readonly Projection[]): Promise<Load> {
  const reads = projections.map(
    ({ name }) => `(SELECT count(*) FROM (SELECT FROM ${viewOf(name)} LIMIT ${ROWS_READ}) some_rows)`,
  );
  const [load] = await unprepared(
    pool,
    columns(number, 'read_milliseconds', 'live_lag_seconds'),
    `SELECT extract(epoch FROM clock_timestamp() - statement_timestamp())::float8 * 1000 AS read_milliseconds, live_lag_seconds
           FROM (SELECT ${reads.join(' + ')} AS rows_read,
             (SELECT coalesce(max(greatest(extract(epoch FROM now() - next.stored_at), 0)), 0)::float8
              FROM projection.generation live JOIN log.stored_event next ON next.position = checkpoint + 1
              JOIN unnest($1::text[], $2::integer[]) AS present (projection, version) USING (projection, version)
              WHERE live.live AND live.failure IS NULL) AS live_lag_seconds
             OFFSET 0) looked WHERE rows_read >= 0`,
    [projections.map(({ name }) => name), projections.map(({ version }) => version)],
  );
  return load ?? { read_milliseconds: 0, live_lag_seconds: 0 };
}

/** Looks how readers fare for as long as the throttle is automatic. */
export async function watchLoad(
  pool: Pool,
  projections: readonly Projection[],
  throttled: Throttled,
  automatic: Automatic,
  done: AbortSignal,
): Promise<void> {
  while (!done.aborted) {
    if (throttled.throttle === 'auto') {
      const load = await observeLoad(pool, projections).catch(() => null);
      if (load) automatic.observe(load);
    }
    await delay(OBSERVE_MILLISECONDS, undefined, { signal: done }).catch(() => {});
  }
}
