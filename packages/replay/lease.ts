import { execute, number, type Pool, query, statement, type Transaction } from '@milepost/postgres';
import { ReplayTakenError } from './errors.ts';
import {
  ENDED_PHASES,
  inSql,
  type Phase,
  REPLAY,
  RESTING_PHASES,
  type Replay,
  type Throttle,
  toThrottle,
} from './replay.ts';

/** How long a worker that says nothing keeps a replay. Too short a lease costs work done twice, never a wrong row. */
const LEASE_SECONDS = 5;

/** One statement, so that of two workers one gets it. */
const CLAIM = statement('claim-replay', { epoch: number })`
  UPDATE projection.replay SET epoch = epoch + 1, lease_expires_at = now() + interval '${LEASE_SECONDS} s'
  WHERE replay_id = $1 AND halted IS NULL AND (lease_expires_at IS NULL OR lease_expires_at < now())
    AND phase NOT IN ${inSql(RESTING_PHASES)}
  RETURNING epoch`;

const RENEW = statement('renew-replay-lease', {
  phase: REPLAY.phase,
  halted: REPLAY.halted,
  throttle: REPLAY.throttle,
})`
  UPDATE projection.replay SET lease_expires_at = now() + interval '${LEASE_SECONDS} s', trips_per_second = $3,
    slowest_trips_per_second = $4, fastest_trips_per_second = $5, throttled_by = $6
  WHERE replay_id = $1 AND epoch = $2 RETURNING phase, halted, throttle`;

const RELEASE = statement('release-replay-lease')`
  UPDATE projection.replay SET lease_expires_at = NULL, trips_per_second = NULL, throttled_by = NULL
  WHERE replay_id = $1 AND epoch = $2`;

const READ_EPOCH = statement('replay-epoch', { epoch: number })`
  SELECT epoch FROM projection.replay WHERE replay_id = $1`;

const HOLD = statement('hold-replay')`
  SELECT FROM projection.replay WHERE replay_id = $1 AND epoch = $2 AND phase = $3 AND halted IS NULL FOR UPDATE`;

const SET_PHASE = statement('set-replay-phase')`
  UPDATE projection.replay SET phase = $2, error = $3,
    finished_at = CASE WHEN $2 IN ${inSql(ENDED_PHASES)} THEN coalesce(finished_at, now()) END
  WHERE replay_id = $1`;

const RELEASE_MEMBERS = statement('release-replay-members')`
  UPDATE projection.replay_member SET active = false WHERE replay_id = $1`;

const HALT = statement('halt-replay')`
  UPDATE projection.replay SET halted = 'failed', error = $3 WHERE replay_id = $1 AND epoch = $2 AND phase = $4`;

/** What the operator wants of a replay at this moment. */
interface Wanted {
  phase: Phase;
  halted: Replay['halted'];
  throttle: Throttle;
}

/** Rates of late, in trips per second; null while nothing was measured. */
export interface Rates {
  current: number | null;
  slowest: number | null;
  fastest: number | null;
  /** Why an automatic throttle holds back; null when it does not. */
  throttledBy: string | null;
}

/**
 * Claims a replay that has something to do and that nobody holds.
 *
 * @returns the epoch of the claim, null when there is nothing to claim
 */
export async function claimReplay(pool: Pool, id: number): Promise<number | null> {
  const rows = await query(pool, CLAIM, [id]);
  return rows[0]?.epoch ?? null;
}

/** Extends the lease and says what is wanted; null when the claim no longer holds. */
export async function renewLease(pool: Pool, id: number, epoch: number, rates: Rates): Promise<Wanted | null> {
  const values = [id, epoch, rates.current, rates.slowest, rates.fastest, rates.throttledBy];
  const [row] = await query(pool, RENEW, values);
  return row ? { ...row, throttle: toThrottle(row.throttle) } : null;
}

/** Gives the replay back, so that the next worker need not wait for the lease to expire. */
export async function releaseLease(pool: Pool, id: number, epoch: number): Promise<void> {
  await execute(pool, RELEASE, [id, epoch]);
}

/** Whether another worker has claimed the replay since. */
export async function isTaken(pool: Pool, id: number, epoch: number): Promise<boolean> {
  const rows = await query(pool, READ_EPOCH, [id]);
  return rows[0]?.epoch !== epoch;
}

/**
 * Locks the replay until the transaction ends, if the claim still holds and the phase is still the one given. Whatever
 * must not be done twice, or not after a cancel, begins with it.
 *
 * @throws ReplayTakenError
 */
export async function holdReplay(transaction: Transaction, { id, phase }: Replay, epoch: number): Promise<void> {
  if ((await transaction.execute(HOLD, [id, epoch, phase])) !== 1) throw new ReplayTakenError(id);
}

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

/** Writes down why a replay cannot go on. It stands still until it is resumed. */
export async function haltReplay(pool: Pool, { id, phase }: Replay, epoch: number, error: string): Promise<void> {
  await execute(pool, HALT, [id, epoch, error, phase]);
}
