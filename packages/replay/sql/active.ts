import type { Statement, Transaction } from '@milepost/postgres';
import type { Replay, StartRequest } from '../replay.ts';

/** Any number that no other software takes as an advisory lock in this database. */
const LOCK_KEY = 7_240_615_003;

/** Lets requests for replays through one at a time: two at once would both find that none is under way. */
export async function lockRequests(transaction: Transaction): Promise<void> {
  await transaction.run(`SELECT pg_advisory_xact_lock(${LOCK_KEY})`);
}

const FIND_ACTIVE: Statement = {
  name: 'find-active-replays',
  text: `SELECT DISTINCT replay.replay_id AS id, replay.projection, replay.kind, replay.phase, replay.horizon
         FROM projection.replay_member member JOIN projection.replay replay USING (replay_id)
         WHERE member.active AND member.projection = ANY ($1) ORDER BY 1`,
};

export type ActiveReplay = Pick<Replay, 'id' | 'projection' | 'kind' | 'phase' | 'horizon'>;

/** The replays that work on any of the projections, or wait for the operator's word on them. */
export async function findActive(transaction: Transaction, names: readonly string[]): Promise<ActiveReplay[]> {
  return await transaction.rows(FIND_ACTIVE, [names]);
}

const RENEW_REQUEST: Statement = {
  name: 'renew-replay-request',
  text: `UPDATE projection.replay SET promote = promote OR $2, accept_differences = accept_differences OR $3,
           throttle = CASE WHEN phase = 'waiting' THEN $4 ELSE throttle END,
           error = CASE WHEN phase = 'waiting' THEN NULL ELSE error END,
           phase = CASE WHEN phase = 'waiting' THEN 'catching_up' ELSE phase END
         WHERE replay_id = $1`,
};

/**
 * Takes over the wish to promote of a request for a replay that is there already. One that waits was verified some time
 * ago: it is caught up and verified anew.
 */
export async function renewRequest(
  transaction: Transaction,
  id: number,
  { promote, acceptDifferences, throttle }: Pick<StartRequest, 'promote' | 'acceptDifferences' | 'throttle'>,
): Promise<void> {
  await transaction.execute(RENEW_REQUEST, [id, promote, acceptDifferences ?? false, String(throttle)]);
}
