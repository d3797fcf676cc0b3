import { execute, type Pool, statement } from '@milepost/postgres';
import { ReplayNotFoundError, ReplayRefusedError } from './errors.ts';
import { ENDED_PHASES, findReplay, type Phase, type Replay, type Throttle } from './replay.ts';

/** Phases that drop the replay's generations. */
const DISCARDING_PHASES: readonly Phase[] = ['cancelling', 'dropping'];

/** Changes to a replay. Undefined properties stay as they are. */
interface Change {
  phase?: Phase;
  halted?: Replay['halted'];
  clearsError?: boolean;
  throttle?: Throttle;
  promote?: boolean;
  acceptDifferences?: boolean;
}

/** A compare-and-set, which does nothing if the replay's phase has changed in the meantime. */
const CHANGE_REPLAY = statement('change-replay')`
  UPDATE replay SET phase = $4, halted = $5, error = CASE WHEN $6::boolean THEN NULL ELSE error END,
    throttle = coalesce($7, throttle), promote = promote OR $8, accept_differences = accept_differences OR $9
  WHERE replay_id = $1 AND phase = $2 AND halted IS NOT DISTINCT FROM $3`;

/**
 * Changes a replay and retries if its phase has changed since it was read.
 *
 * @param change throws ReplayRefusedError if the change is not allowed
 */
async function changeReplay(pool: Pool, id: number, change: (replay: Replay) => Change): Promise<void> {
  for (;;) {
    const replay = await findReplay(pool, id);
    if (replay === null) throw new ReplayNotFoundError(id);
    const { phase = replay.phase, halted = replay.halted, throttle = null, ...rest } = change(replay);
    const { clearsError = false, promote = false, acceptDifferences = false } = rest;
    const changed = await execute(pool, CHANGE_REPLAY, [
      ...[id, replay.phase, replay.halted, phase, halted, clearsError],
      ...[throttle && String(throttle), promote, acceptDifferences],
    ]);
    if (changed === 1) return;
  }
}

function refuseEnded({ id, phase }: Replay, action: string): void {
  if (ENDED_PHASES.includes(phase) || DISCARDING_PHASES.includes(phase)) {
    throw new ReplayRefusedError({ code: 'ended', id, phase, action });
  }
}

/** Pauses a replay once its running chunks have finished. */
export async function pauseReplay(pool: Pool, id: number): Promise<void> {
  await changeReplay(pool, id, (replay) => {
    refuseEnded(replay, 'pause');
    if (replay.phase === 'waiting') throw new ReplayRefusedError({ code: 'waits_for_promotion', id });
    return { halted: replay.halted ?? 'paused' };
  });
}

/** Resumes a paused or failed replay where it stopped. */
export async function resumeReplay(pool: Pool, id: number): Promise<void> {
  await changeReplay(pool, id, (replay) => {
    // A failed cancel or drop can also be resumed.
    if (!DISCARDING_PHASES.includes(replay.phase)) refuseEnded(replay, 'resume');
    return { halted: null, clearsError: replay.halted !== null };
  });
}

/**
 * Cancels a replay before its promotion and drops the generations that it has built. The live read tables stay as they
 * are.
 */
export async function cancelReplay(pool: Pool, id: number): Promise<void> {
  await changeReplay(pool, id, (replay) => {
    if (replay.phase === 'cancelled' || replay.phase === 'cancelling') return { halted: null };
    refuseEnded(replay, 'cancel');
    return { phase: 'cancelling', halted: null };
  });
}

/** Changes a replay's throttle, even while it is running. */
export async function throttleReplay(pool: Pool, id: number, throttle: Throttle): Promise<void> {
  await changeReplay(pool, id, (replay) => {
    refuseEnded(replay, 'throttle');
    return { throttle };
  });
}

/**
 * Promotes a waiting replay, or lets a running replay promote itself after its verification.
 *
 * @throws ReplayRefusedError when a version change does not explain the differences and the operator does not accept
 *   them
 */
export async function promoteReplay(
  pool: Pool,
  id: number,
  { acceptDifferences }: { acceptDifferences: boolean },
): Promise<void> {
  await changeReplay(pool, id, (replay) => {
    refuseEnded(replay, 'promote');
    const { phase, verification } = replay;
    const isAccepted = acceptDifferences || replay.accept_differences;
    if (phase === 'waiting' && verification && !verification.expected && !isAccepted) {
      throw new ReplayRefusedError({ code: 'unexplained_differences', id, differences: verification.differences });
    }
    const wanted = { promote: true, acceptDifferences };
    return phase === 'waiting' ? { ...wanted, phase: 'promoting', clearsError: true } : wanted;
  });
}

/**
 * Drops the generations that a replay built or replaced, except live ones. Its promotion can then no longer be rolled
 * back.
 */
export async function dropReplay(pool: Pool, id: number): Promise<void> {
  await changeReplay(pool, id, (replay) => {
    if (replay.phase === 'dropped' || replay.phase === 'dropping') return { halted: null };
    if (replay.phase === 'cancelled') throw new ReplayRefusedError({ code: 'cancelled', id });
    if (replay.phase !== 'waiting' && replay.phase !== 'promoted') {
      throw new ReplayRefusedError({ code: 'under_way', id });
    }
    return { phase: 'dropping', halted: null };
  });
}
