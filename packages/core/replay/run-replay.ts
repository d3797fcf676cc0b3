import {
  inTransaction,
  isTransientError,
  type Pool,
  type RetryOptions,
  retryTransientErrors,
} from '@milepost/postgres';
import type { Projection } from '@milepost/projections/engine';
import { ReplayTakenError } from './errors.ts';
import { claimReplay, haltReplay, releaseLease, setPhase } from './lease.ts';
import { findReplay, type Phase, RESTING_PHASES, type Replay } from './replay.ts';
import { catchUp } from './steps/catch-up.ts';
import { readMembers, type StepContext } from './steps/context.ts';
import { discard } from './steps/discard.ts';
import { fill } from './steps/fill.ts';
import { indexTables } from './steps/index-tables.ts';
import { promote } from './steps/promote.ts';
import { verify } from './steps/verify.ts';
import { Throttled } from './throttle/throttled.ts';
import { keepLease, watchLoad } from './watch.ts';

export interface RunReplayOptions extends RetryOptions {
  /** How many chunks run concurrently if there is no throttle. */
  workers: number;
  onPhase: (replay: Replay) => void;
}

/** Runs the step for the replay's phase. Returns the next phase, or null if the step itself has set the phase. */
async function runStep(context: StepContext, workers: number): Promise<Phase | null> {
  switch (context.replay.phase) {
    case 'filling':
      await fill(context, workers);
      return 'indexing';
    case 'indexing':
      await indexTables(context);
      return 'catching_up';
    case 'catching_up':
      await catchUp(context);
      return context.replay.kind === 'build' ? 'verifying' : 'promoting';
    case 'verifying':
      await verify(context);
      return null;
    case 'promoting':
      await promote(context);
      return null;
    default:
      return null;
  }
}

/** What a claimed replay needs to run. */
interface Claimed {
  pool: Pool;
  projections: readonly Projection[];
  options: RunReplayOptions;
}

/** Runs one step while renewing the lease. Throws ReplayTakenError when the step is aborted. */
async function runLeased({ pool, projections, options }: Claimed, replay: Replay): Promise<void> {
  const { onRetry } = options;
  const members = await readMembers(pool, projections, replay.id);
  const passes = members.reduce(
    (sum, { projection, filled_with }) => sum + (filled_with === null ? projection.fill.stages.length : 0),
    0,
  );
  const tripsPerEvent = replay.phase === 'filling' ? 1 / passes : 1;
  const throttled = new Throttled(replay.throttle, tripsPerEvent);
  const step = new AbortController();
  const done = new AbortController();
  const watching = [
    keepLease(pool, replay, throttled, step, { signal: done.signal, onRetry }),
    watchLoad(pool, projections, throttled, done.signal),
  ];
  const signal = AbortSignal.any([options.signal, step.signal]);
  try {
    const next = await runStep({ pool, replay, members, throttled, signal, onRetry }, options.workers);
    if (next) await inTransaction(pool, async (transaction) => await setPhase(transaction, replay, next));
  } catch (error) {
    throw signal.aborted ? new ReplayTakenError(replay.id) : error;
  } finally {
    done.abort();
    await Promise.all(watching);
  }
}

async function runClaimed(claimed: Claimed, id: number, epoch: number): Promise<void> {
  const { pool, projections, options } = claimed;
  const { signal, onRetry } = options;
  while (!signal.aborted) {
    const replay = await retryTransientErrors(() => findReplay(pool, id), { signal, onRetry });
    if (replay === null || replay.epoch !== epoch) return;
    options.onPhase(replay);
    if (replay.halted !== null || RESTING_PHASES.includes(replay.phase)) return;
    // A replay can be discarded even if this release lacks its projections or has other versions of them.
    const isDiscarding = replay.phase === 'cancelling' || replay.phase === 'dropping';
    const run = async () =>
      isDiscarding ? await discard(pool, projections, replay) : await runLeased(claimed, replay);
    try {
      await retryTransientErrors(run, { signal, onRetry });
    } catch (error) {
      // Another worker has claimed the replay, or the operator has changed its phase, so read both again.
      if (error instanceof ReplayTakenError) continue;
      if (signal.aborted || isTransientError(error)) throw error;
      const message = error instanceof Error ? error.message : String(error);
      await haltReplay(pool, replay, message);
      options.onPhase({ ...replay, halted: 'failed', error: message });
      return;
    }
  }
}

/**
 * Runs a replay from its current phase until it needs an operator, ends, or is claimed by another worker. Because its
 * state is in PostgreSQL, a replay can be killed and run again at any time, even by several workers.
 *
 * A failure halts the replay and is stored as its `error`. Throws when the signal aborts, or when the failure cannot be
 * stored.
 *
 * @param pool at least `workers` + 4 connections in the projector's role, without a statement timeout
 */
export async function runReplay(
  pool: Pool,
  projections: readonly Projection[],
  id: number,
  options: RunReplayOptions,
): Promise<void> {
  const { signal, onRetry } = options;
  const epoch = await retryTransientErrors(() => claimReplay(pool, id), { signal, onRetry });
  if (epoch === null) return;
  try {
    await runClaimed({ pool, projections, options }, id, epoch);
  } finally {
    // If the release fails, the lease simply expires.
    await releaseLease(pool, id, epoch).catch(() => {});
  }
}
