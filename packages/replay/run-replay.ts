import {
  inTransaction,
  isTransientError,
  type Pool,
  type RetryOptions,
  retryTransientErrors,
} from '@milepost/postgres';
import type { Projection } from '@milepost/projections/engine';
import { ReplayTakenError } from './errors.ts';
import { claimReplay, haltReplay, isTaken, releaseLease, setPhase } from './lease.ts';
import { findReplay, type Phase, RESTING_PHASES, type Replay } from './replay.ts';
import { catchUp } from './steps/catch-up.ts';
import { readMembers, type StepContext } from './steps/context.ts';
import { discard } from './steps/discard.ts';
import { fill } from './steps/fill.ts';
import { indexTables } from './steps/index-tables.ts';
import { promote } from './steps/promote.ts';
import { verify } from './steps/verify.ts';
import { Automatic } from './throttle/automatic.ts';
import { Throttled } from './throttle/throttled.ts';
import { keepLease, watchLoad } from './watch.ts';

export interface RunReplayOptions extends RetryOptions {
  /** Chunks worked on at once without a throttle. */
  workers: number;
  onPhase: (replay: Replay) => void;
}

/** Does what the replay's phase asks for; returns the phase after it, null where the step itself has moved it. */
async function runStep(context: StepContext, workers: number): Promise<Phase | null> {
  switch (context.replay.phase) {
    case 'filling':
      return await fill(context, workers);
    case 'indexing':
      return await indexTables(context);
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

/** Runs one step with a lease that is kept meanwhile. Throws ReplayTakenError when it is cut short. */
async function runLeased(
  pool: Pool,
  projections: readonly Projection[],
  replay: Replay,
  epoch: number,
  options: RunReplayOptions,
): Promise<void> {
  const members = await readMembers(pool, projections, replay.id);
  const passes = members.reduce(
    (sum, { projection, filled_with }) => sum + (filled_with === null ? projection.fill.stages.length : 0),
    0,
  );
  const automatic = new Automatic();
  const tripsPerEvent = replay.phase === 'filling' ? 1 / passes : 1;
  const throttled = new Throttled({ throttle: replay.throttle, automatic, tripsPerEvent, onRetry: options.onRetry });
  const step = new AbortController();
  const done = new AbortController();
  const watching = [
    keepLease(pool, replay, epoch, throttled, step, done.signal),
    watchLoad(pool, projections, throttled, automatic, done.signal),
  ];
  const signal = AbortSignal.any([options.signal, step.signal]);
  try {
    const next = await runStep({ pool, replay, members, epoch, throttled, signal }, options.workers);
    if (next) {
      await inTransaction(pool, async (transaction) => await setPhase(transaction, replay, epoch, next));
    }
  } catch (error) {
    throw signal.aborted ? new ReplayTakenError(replay.id) : error;
  } finally {
    done.abort();
    await Promise.all(watching);
  }
}

/** Cancelled and dropped replays need nothing of the projections' present code. */
async function runPhase(
  pool: Pool,
  projections: readonly Projection[],
  replay: Replay,
  epoch: number,
  options: RunReplayOptions,
): Promise<void> {
  const isLeaving = replay.phase === 'cancelling' || replay.phase === 'dropping';
  if (isLeaving) await discard(pool, projections, replay, epoch);
  else await runLeased(pool, projections, replay, epoch, options);
}

async function runClaimed(
  pool: Pool,
  projections: readonly Projection[],
  id: number,
  epoch: number,
  options: RunReplayOptions,
): Promise<void> {
  const { signal, onRetry } = options;
  while (!signal.aborted) {
    const replay = await retryTransientErrors(() => findReplay(pool, id), { signal, onRetry });
    if (replay === null) return;
    options.onPhase(replay);
    if (replay.halted !== null || RESTING_PHASES.includes(replay.phase)) return;
    try {
      await retryTransientErrors(() => runPhase(pool, projections, replay, epoch, options), { signal, onRetry });
    } catch (error) {
      if (error instanceof ReplayTakenError) {
        if (await isTaken(pool, id, epoch)) return;
        // Sent elsewhere by the operator: the next look tells where.
        continue;
      }
      if (signal.aborted || isTransientError(error)) throw error;
      const message = error instanceof Error ? error.message : String(error);
      await haltReplay(pool, replay, epoch, message);
      options.onPhase({ ...replay, halted: 'failed', error: message });
      return;
    }
  }
}

/**
 * Runs a replay from wherever it stands until it waits for the operator, has ended, is halted or is taken
 * over. Everything that matters is in PostgreSQL: it may be killed at any moment and run again, by several at once.
 *
 * Whatever fails, a fold above all, halts the replay and is told by its `error`. Throws when stopped, and when the database
 * cannot even be told that: the next worker finds the replay as it was.
 *
 * @param pool connections in the projector's role, without a limit on statements; at least `workers` + 4
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
    await runClaimed(pool, projections, id, epoch, options);
  } finally {
    // When even this fails, the lease runs out by itself.
    await releaseLease(pool, id, epoch).catch(() => {});
  }
}
