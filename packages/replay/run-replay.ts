import { inTransaction, isPassingFault, type Pool, retryPassingFaults } from '@milepost/postgres';
import type { Projection } from '@milepost/projections/engine';
import { ReplayTakenError } from './errors.ts';
import { type Phase, RESTING_PHASES, type Replay, type StepContext } from './replay.ts';
import { haltReplay } from './sql/halt.ts';
import { claimReplay, releaseLease } from './sql/lease.ts';
import { readMembers } from './sql/members.ts';
import { findReplay } from './sql/replays.ts';
import { setPhase } from './sql/set-phase.ts';
import { catchUp } from './steps/catch-up.ts';
import { discard } from './steps/discard.ts';
import { fill } from './steps/fill.ts';
import { indexTables } from './steps/index-tables.ts';
import { promote } from './steps/promote.ts';
import { verify } from './steps/verify.ts';
import { Automatic } from './throttle/automatic.ts';
import { Throttled } from './throttle/throttled.ts';
import { keepLease, watchStrain } from './watch.ts';

export interface RunReplayOptions {
  signal: AbortSignal;
  /** Parts worked on at once without a throttle. */
  slots: number;
  onPhase: (replay: Replay) => void;
  onFault: (error: unknown, delayMilliseconds: number) => void;
}

/** Does what the replay's phase asks for; returns the phase after it, null where the step itself has moved it. */
async function runStep(pool: Pool, context: StepContext, throttled: Throttled, slots: number): Promise<Phase | null> {
  switch (context.replay.phase) {
    case 'filling':
      return await fill(pool, context, throttled, slots);
    case 'indexing':
      return await indexTables(pool, context, throttled);
    case 'catching_up':
      await catchUp(pool, context, throttled);
      return context.replay.kind === 'build' ? 'verifying' : 'promoting';
    case 'verifying':
      await verify(pool, context, throttled);
      return null;
    case 'promoting':
      await promote(pool, context, throttled);
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
  const passes = members.reduce((sum, { projection }) => sum + projection.fill.stages.length, 0);
  const automatic = new Automatic();
  const tripsPerEvent = replay.phase === 'filling' ? 1 / passes : 1;
  const throttled = new Throttled({ throttle: replay.throttle, automatic, tripsPerEvent, onFault: options.onFault });
  const step = new AbortController();
  const done = new AbortController();
  const watching = [
    keepLease(pool, replay, epoch, throttled, step, done.signal),
    watchStrain(pool, projections, throttled, automatic, done.signal),
  ];
  const context = { replay, members, epoch, signal: AbortSignal.any([options.signal, step.signal]) };
  try {
    const next = await runStep(pool, context, throttled, options.slots);
    if (next) {
      await inTransaction(pool, async (transaction) => {
        await setPhase(transaction, replay, epoch, next);
      });
    }
  } catch (error) {
    throw context.signal.aborted ? new ReplayTakenError(replay.id) : error;
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
  const { signal, onFault } = options;
  while (!signal.aborted) {
    const replay = await retryPassingFaults(() => findReplay(pool, id), { signal, onFault });
    if (replay === null) return;
    options.onPhase(replay);
    if (replay.halted !== null || RESTING_PHASES.includes(replay.phase)) return;
    try {
      await retryPassingFaults(() => runPhase(pool, projections, replay, epoch, options), { signal, onFault });
    } catch (error) {
      if (error instanceof ReplayTakenError) {
        if (await isTaken(pool, id, epoch)) return;
        // Sent elsewhere by the operator: the next look tells where.
        continue;
      }
      if (signal.aborted || isPassingFault(error)) throw error;
      const message = error instanceof Error ? error.message : String(error);
      await haltReplay(pool, replay, epoch, message);
      options.onPhase({ ...replay, halted: 'failed', error: message });
      return;
    }
  }
}

async function isTaken(pool: Pool, id: number, epoch: number): Promise<boolean> {
  const { rows } = await pool.query<{ epoch: number }>({
    name: 'replay-epoch',
    text: 'SELECT epoch FROM projection.replay WHERE replay_id = $1',
    values: [id],
  });
  return rows[0]?.epoch !== epoch;
}

/**
 * Runs a replay from wherever it stands until it waits for the operator, has come to its end, stands still or is taken
 * over. Everything that matters is in PostgreSQL: it may be killed at any moment and run again, by several at once.
 *
 * Whatever fails, a fold above all, halts the replay and is told by its `error`. Throws when stopped, and when the database
 * cannot even be told that: the next worker finds the replay as it was.
 *
 * @param pool connections in the projector's role, without a limit on statements; at least `slots` + 4
 */
export async function runReplay(
  pool: Pool,
  projections: readonly Projection[],
  id: number,
  options: RunReplayOptions,
): Promise<void> {
  const { signal, onFault } = options;
  const epoch = await retryPassingFaults(() => claimReplay(pool, id), { signal, onFault });
  if (epoch === null) return;
  try {
    await runClaimed(pool, projections, id, epoch, options);
  } finally {
    // When even this fails, the lease runs out by itself.
    await releaseLease(pool, id, epoch).catch(() => {});
  }
}
