import { setTimeout as delay } from 'node:timers/promises';
import { columns, type Pool, type RetryOptions, unprepared } from '@milepost/postgres';
import type { Projection } from '@milepost/projections/engine';
import { renewLease } from './lease.ts';
import type { Replay } from './replay.ts';
import type { Load } from './throttle/automatic.ts';
import type { Throttled } from './throttle/throttled.ts';

/**
 * The lease is renewed at this interval. The interval is short, so the lease does not expire, and a pause or a changed
 * throttle takes effect soon.
 */
const RENEW_MILLISECONDS = 500;
const OBSERVE_MILLISECONDS = 200;
const ROWS_READ = 50;

/**
 * Renews the lease while a step is running and aborts the step when the operator changes the replay or another worker
 * claims it. The step is not aborted when the database is unavailable, because the steps wait for the database too.
 */
export async function keepLease(
  pool: Pool,
  replay: Replay,
  throttled: Throttled,
  step: AbortController,
  { signal, onRetry }: RetryOptions,
): Promise<void> {
  while (!signal.aborted) {
    await delay(RENEW_MILLISECONDS, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    try {
      const wanted = await renewLease(pool, replay.id, replay.epoch, throttled.rates());
      if (wanted === null || wanted.halted !== null || wanted.phase !== replay.phase) step.abort();
      else throttled.throttle = wanted.throttle;
    } catch (error) {
      onRetry?.(error, RENEW_MILLISECONDS);
    }
  }
}

/**
 * Measures the load on readers and the live projections. The server measures how long the read takes, because this
 * process is busy with the replay and would overestimate it. Live generations that have stopped or have another
 * version do not count, because this replay may be the one that repairs them.
 */
async function observeLoad(pool: Pool, projections: readonly Projection[]): Promise<Load> {
  const reads = projections.map(
    ({ name }) => `(SELECT count(*) FROM (SELECT FROM ${name} LIMIT ${ROWS_READ}) some_rows)`,
  );
  const [load] = await unprepared(
    pool,
    columns('number', 'read_milliseconds', 'live_lag_seconds'),
    `SELECT extract(epoch FROM clock_timestamp() - statement_timestamp())::float8 * 1000 AS read_milliseconds, live_lag_seconds
           FROM (SELECT ${reads.join(' + ')} AS rows_read,
             (SELECT coalesce(max(greatest(extract(epoch FROM now() - next.stored_at), 0)), 0)::float8
              FROM generation live JOIN stored_event next ON next.position = checkpoint + 1
              JOIN unnest($1::text[], $2::integer[]) AS present (projection, version) USING (projection, version)
              WHERE live.live AND live.failure IS NULL) AS live_lag_seconds
             OFFSET 0) measured WHERE rows_read >= 0`,
    [projections.map(({ name }) => name), projections.map(({ version }) => version)],
  );
  return load ?? { read_milliseconds: 0, live_lag_seconds: 0 };
}

/** Measures the load from time to time while the throttle is automatic. */
export async function watchLoad(
  pool: Pool,
  projections: readonly Projection[],
  throttled: Throttled,
  done: AbortSignal,
): Promise<void> {
  while (!done.aborted) {
    if (throttled.throttle === 'auto') {
      const load = await observeLoad(pool, projections).catch(() => null);
      if (load) throttled.automatic.observe(load);
    }
    await delay(OBSERVE_MILLISECONDS, undefined, { signal: done }).catch(() => {});
  }
}
