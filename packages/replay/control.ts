import type { Pool } from '@milepost/postgres';
import { ReplayNotFoundError, ReplayRefusedError } from './errors.ts';
import { ENDED_PHASES, type Phase, type Replay, type Throttle } from './replay.ts';
import { findReplay } from './sql/replays.ts';

const LEAVING: readonly Phase[] = ['cancelling', 'dropping'];

async function getReplay(pool: Pool, id: number): Promise<Replay> {
  const replay = await findReplay(pool, id);
  if (replay === null) throw new ReplayNotFoundError(id);
  return replay;
}

/**
 * Changes a replay that is still in the phase it was looked at in; otherwise looks again.
 *
 * @param change the assignments, `$1` being the id and `$2` the phase looked at; throws ReplayRefusedError if it may not be
 */
async function changeReplay(
  pool: Pool,
  id: number,
  change: (replay: Replay) => { set: string; values?: readonly unknown[] },
): Promise<void> {
  for (;;) {
    const replay = await getReplay(pool, id);
    const { set, values = [] } = change(replay);
    const { rowCount } = await pool.query(
      `UPDATE projection.replay SET ${set} WHERE replay_id = $1 AND phase = $2 AND halted IS NOT DISTINCT FROM $3`,
      [id, replay.phase, replay.halted, ...values],
    );
    if (rowCount === 1) return;
  }
}

function refuseEnded({ id, phase }: Replay, action: string): void {
  if (ENDED_PHASES.includes(phase) || LEAVING.includes(phase)) {
    throw new ReplayRefusedError({ code: 'ended', id, phase, action });
  }
}

/** Stops a replay after the parts under way, until it is resumed. */
export async function pauseReplay(pool: Pool, id: number): Promise<void> {
  await changeReplay(pool, id, (replay) => {
    refuseEnded(replay, 'pause');
    if (replay.phase === 'waiting') {
      throw new ReplayRefusedError({ code: 'waits_for_promotion', id });
    }
    return { set: replay.halted === 'failed' ? 'halted = halted' : "halted = 'paused'" };
  });
}

/** Lets a paused replay go on, or one that failed once its cause is mended, from where it stopped. */
export async function resumeReplay(pool: Pool, id: number): Promise<void> {
  await changeReplay(pool, id, (replay) => {
    // What fails while it cancels or drops can be tried again as everything else.
    if (!LEAVING.includes(replay.phase)) refuseEnded(replay, 'resume');
    return { set: 'halted = NULL, error = CASE WHEN halted IS NULL THEN error END' };
  });
}

/** Ends a replay before its promotion and drops what it has built. The live read tables are not touched. */
export async function cancelReplay(pool: Pool, id: number): Promise<void> {
  await changeReplay(pool, id, (replay) => {
    if (replay.phase === 'cancelled' || replay.phase === 'cancelling') return { set: 'halted = NULL' };
    refuseEnded(replay, 'cancel');
    return { set: "phase = 'cancelling', halted = NULL" };
  });
}

/** Changes how fast a replay may go, while it goes too. */
export async function throttleReplay(pool: Pool, id: number, throttle: Throttle): Promise<void> {
  await changeReplay(pool, id, (replay) => {
    refuseEnded(replay, 'throttle');
    return { set: 'throttle = $4', values: [String(throttle)] };
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
    const next = phase === 'waiting' ? ", phase = 'promoting', error = NULL" : '';
    return { set: `promote = true, accept_differences = accept_differences OR $4${next}`, values: [acceptDifferences] };
  });
}

/**
 * Drops the generations that a replay has built or replaced and that are not live; after that its promotion cannot be
 * rolled back.
 */
export async function dropReplay(pool: Pool, id: number): Promise<void> {
  await changeReplay(pool, id, (replay) => {
    if (replay.phase === 'dropped' || replay.phase === 'dropping') return { set: 'halted = NULL' };
    if (replay.phase === 'cancelled') {
      throw new ReplayRefusedError({ code: 'cancelled', id });
    }
    if (replay.phase !== 'waiting' && replay.phase !== 'promoted') {
      throw new ReplayRefusedError({ code: 'under_way', id });
    }
    return { set: "phase = 'dropping', halted = NULL" };
  });
}
