import type { Statement, Transaction } from '@milepost/postgres';
import { ENDED_PHASES, inSql, type Phase, type Replay } from '../replay.ts';
import { holdReplay } from './lease.ts';

const SET_PHASE: Statement = {
  name: 'set-replay-phase',
  text: `UPDATE projection.replay SET phase = $2, error = $3,
           finished_at = CASE WHEN $2 IN ${inSql(ENDED_PHASES)} THEN coalesce(finished_at, now()) END
         WHERE replay_id = $1`,
};

const RELEASE_MEMBERS: Statement = {
  name: 'release-replay-members',
  text: `UPDATE projection.replay_member SET active = false WHERE replay_id = $1`,
};

/**
 * Moves a replay from the phase it was read in to another; at an end its projections are free for the next replay.
 *
 * @throws ReplayTakenError when the claim no longer holds, or the operator has sent it elsewhere meanwhile
 */
export async function setPhase(
  transaction: Transaction,
  replay: Replay,
  epoch: number,
  phase: Phase,
  error: string | null = null,
): Promise<void> {
  await holdReplay(transaction, replay, epoch);
  await transaction.execute(SET_PHASE, [replay.id, phase, error]);
  if (ENDED_PHASES.includes(phase)) await transaction.execute(RELEASE_MEMBERS, [replay.id]);
}
