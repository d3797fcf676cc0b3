import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from '@milepost/postgres';
import type { Projection } from '@milepost/projections/engine';
import type { Replay } from './replay.ts';
import { renewLease } from './sql/lease.ts';
import { observeStrain } from './sql/observe-strain.ts';
import type { Automatic } from './throttle/automatic.ts';
import type { Throttled } from './throttle/throttled.ts';

/** Often enough that a pause or another throttle is felt at once, and the lease never runs out. */
const RENEW_MILLISECONDS = 500;
const OBSERVE_MILLISECONDS = 200;

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
      throttled.onFault(error, RENEW_MILLISECONDS);
    }
  }
}

/** Looks how readers fare for as long as the throttle is automatic. */
export async function watchStrain(
  pool: Pool,
  projections: readonly Projection[],
  throttled: Throttled,
  automatic: Automatic,
  done: AbortSignal,
): Promise<void> {
  while (!done.aborted) {
    if (throttled.throttle === 'auto') {
      const strain = await observeStrain(pool, projections).catch(() => null);
      if (strain) automatic.observe(strain);
    }
    await delay(OBSERVE_MILLISECONDS, undefined, { signal: done }).catch(() => {});
  }
}
