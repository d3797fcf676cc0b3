import { execute, type Pool, statement } from '@milepost/postgres';
import { ReplayNotFoundError, ReplayRefusedError } from './errors.ts';
import { ENDED_PHASES, findReplay, type Phase, type Replay, type Throttle } from './replay.ts';

const LEAVING: readonly Phase[] = ['cancelling', 'dropping'];

/** What becomes of a replay; what is not named stays as it is. */
interface Change {
  phase?: Phase;
  halted?: Replay['halted'];
  forgetsError?: boolean;
  throttle?: Throttle;
  promote?: boolean;
  acceptDifferences?: boolean;
}

/** Compares and sets: a replay that has come to another phase since it was looked at is left alone. */
const CHANGE_REPLAY = statement('change-replay')`
  UPDATE projection.replay SET phase = $4, halted = $5, error = CASE WHEN $6::boolean THEN NULL ELSE error END,
    throttle = coalesce($7, throttle), promote = promote OR $8, accept_differences = accept_differences OR $9
  WHERE replay_id = $1 AND phase = $2 AND halted IS NOT DISTINCT FROM $3`;

/**
 * Changes a replay that is still in the phase it was looked at in; otherwise looks again.
 *
 * @param change throws ReplayRefusedError if it may not be changed
 */
async function changeReplay(pool: Pool, id: number, change: (replay: Replay) => Change): Promise<void> {
  for (;;) {
    const replay = await findReplay(pool, id);
    if (replay === null) throw new ReplayNotFoundError(id);
    const { phase = replay.phase, halted = replay.halted, throttle = null, ...rest } = change(replay);
    const { forgetsError = false, promote = false, acceptDifferences = false } = rest;
    const changed = await execute(pool, CHANGE_REPLAY, [
      ...[id, replay.phase, replay.halted, phase, halted, forgetsError],
      ...[throttle && String(throttle), promote, acceptDifferences],
    ]);
    if (changed === 1) return;
  }
}

function refuseEnded({ id, phase }: Replay, action: string): void {
  if (ENDED_PHASES.includes(phase) || LEAVING.includes(phase)) {
    throw new ReplayRefusedError({ code: 'ended', id, phase, action });
  }
}

/** Stops a replay after the chunks under way, until it is resumed. */
export async function pauseReplay(pool: Pool, id: number): Promise<void> {
  await changeReplay(pool, id, (replay) => {
    refuseEnded(replay, 'pause');
    if (replay.phase === 'waiting') {
      throw new ReplayRefusedError({ code: 'waits_for_promotion', id });
    }
    return { halted: replay.halted ?? 'paused' };
  });
}

/** Lets a paused replay go on, or one that failed once its cause is mended, from where it stopped. */
export async function resumeReplay(pool: Pool, id: number): Promise<void> {
  await changeReplay(pool, id, (replay) => {
    // What fails while it cancels or drops can be tried again as everything else.
    if (!LEAVING.includes(replay.phase)) refuseEnded(replay, 'resume');
    return { halted: null, forgetsError: replay.halted !== null };
  });
}

/** Ends a replay before its promotion and drops what it has built. The live read tables are not touched. */
export async function cancelReplay(pool: Pool, id: number): Promise<void> {
  await changeReplay(pool, id, (replay) => {
    if (replay.phase === 'cancelled' || replay.phase === 'cancelling') return { halted: null };
    refuseEnded(replay, 'cancel');
    return { phase: 'cancelling', halted: null };
  });
}

/** Changes how fast a replay may go, while it goes too. */
export async function throttleReplay(pool: Pool, id: number, throttle: Throttle): Promise<void> {
  await changeReplay(pool, id, (replay) => {
    refuseEnded(replay, 'throttle');
    return { throttle };
  });
}

/**
 * Promotes a replay that waits, or tells one under way to promote itself once it is verified.
 *
 * @throws ReplayRefusedError when its verification found differences that no changed version explains, and these are not
 *   accepted
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
    return phase === 'waiting' ? { ...wanted, phase: 'promoting', forgetsError: true } : wanted;
  });
}

/**
 * Drops the generations that a replay has built or replaced and that are not live; after that its promotion cannot be
 * rolled back.
 */
export async function dropReplay(pool: Pool, id: number): Promise<void> {
  await changeReplay(pool, id, (replay) => {
    if (replay.phase === 'dropped' || replay.phase === 'dropping') return { halted: null };
    if (replay.phase === 'cancelled') {
      throw new ReplayRefusedError({ code: 'cancelled', id });
    }
    if (replay.phase !== 'waiting' && replay.phase !== 'promoted') {
      throw new ReplayRefusedError({ code: 'under_way', id });
    }
    return { phase: 'dropping', halted: null };
  });
}
