import { execute, type Pool, query, statement, type Transaction } from '@milepost/postgres';
import { ReplayTakenError } from './errors.ts';
import { ENDED_PHASES, inSql, type Phase, REPLAY, RESTING_PHASES, type Replay, toThrottle } from './replay.ts';

/**
 * The duration of a lease. If a lease expires too early, two workers may do the same work, but the rows are still
 * correct.
 */
const LEASE_SECONDS = 5;

/** Claims in a single statement, so that only one of two workers gets the replay. */
const CLAIM = statement('claim-replay', { epoch: 'number' })`
  UPDATE replay SET epoch = epoch + 1, lease_expires_at = now() + interval '${LEASE_SECONDS} s'
  WHERE replay_id = $1 AND halted IS NULL AND (lease_expires_at IS NULL OR lease_expires_at < now())
    AND phase NOT IN ${inSql(RESTING_PHASES)}
  RETURNING epoch`;

const RENEW = statement('renew-replay-lease', {
  phase: REPLAY.phase,
  halted: REPLAY.halted,
  throttle: REPLAY.throttle,
})`
  UPDATE replay SET lease_expires_at = now() + interval '${LEASE_SECONDS} s', trips_per_second = $3,
    slowest_trips_per_second = $4, fastest_trips_per_second = $5, throttled_by = $6
  WHERE replay_id = $1 AND epoch = $2 RETURNING phase, halted, throttle`;

const RELEASE = statement('release-replay-lease')`
  UPDATE replay SET lease_expires_at = NULL, trips_per_second = NULL, throttled_by = NULL
  WHERE replay_id = $1 AND epoch = $2`;

const HOLD = statement('hold-replay')`
  SELECT FROM replay WHERE replay_id = $1 AND epoch = $2 AND phase = $3 AND halted IS NULL FOR UPDATE`;

const SET_PHASE = statement('set-replay-phase')`
  UPDATE replay SET phase = $2, error = $3 WHERE replay_id = $1`;

/** A separate statement, because Citus requires it (postgres/citus/README.md). */
const SET_FINISHED = statement('set-replay-finished')`
  UPDATE replay SET finished_at = now() WHERE replay_id = $1 AND finished_at IS NULL`;

const RELEASE_MEMBERS = statement('release-replay-members')`
  UPDATE replay_member SET active = false WHERE replay_id = $1`;

const HALT = statement('halt-replay')`
  UPDATE replay SET halted = 'failed', error = $3 WHERE replay_id = $1 AND epoch = $2 AND phase = $4`;

/** Recent rates in trips per second; null until a rate has been measured. */
export interface Rates {
  current: number | null;
  slowest: number | null;
  fastest: number | null;
  /** Why the automatic throttle is slowing the replay down; null when it is not. */
  throttledBy: string | null;
}

/**
 * Claims a replay that is runnable and has no lease.
 *
 * @returns the epoch of the claim; null when there is nothing to claim
 */
export async function claimReplay(pool: Pool, id: number): Promise<number | null> {
  const rows = await query(pool, CLAIM, [id]);
  return rows[0]?.epoch ?? null;
}

/** Extends the lease and returns the operator's request, or null if the claim has been lost. */
export async function renewLease(
  pool: Pool,
  id: number,
  epoch: number,
  rates: Rates,
): Promise<Pick<Replay, 'phase' | 'halted' | 'throttle'> | null> {
  const values = [id, epoch, rates.current, rates.slowest, rates.fastest, rates.throttledBy];
  const [row] = await query(pool, RENEW, values);
  return row ? { ...row, throttle: toThrottle(row.throttle) } : null;
}

/** Releases the lease, so that the next worker need not wait until it expires. */
export async function releaseLease(pool: Pool, id: number, epoch: number): Promise<void> {
  await execute(pool, RELEASE, [id, epoch]);
}

/**
 * Locks the replay until the transaction ends, if its epoch and its phase are still those in `replay`. Work that must not
 * be done twice, or after the replay has been cancelled, needs this lock.
 *
 * @throws ReplayTakenError
 */
export async function holdReplay(transaction: Transaction, { id, epoch, phase }: Replay): Promise<void> {
  if ((await transaction.execute(HOLD, [id, epoch, phase])) !== 1) throw new ReplayTakenError(id);
}

/**
 * Moves a replay to another phase, if its epoch and its phase are still those in `replay`. If the new phase ends the
 * replay, its projections become free for the next replay.
 *
 * @throws ReplayTakenError when the claim is lost or the operator has changed the phase
 */
export async function setPhase(
  transaction: Transaction,
  replay: Replay,
  phase: Phase,
  error: string | null = null,
): Promise<void> {
  await holdReplay(transaction, replay);
  await transaction.execute(SET_PHASE, [replay.id, phase, error]);
  if (!ENDED_PHASES.includes(phase)) return;
  await transaction.execute(SET_FINISHED, [replay.id]);
  await transaction.execute(RELEASE_MEMBERS, [replay.id]);
}

/** Stores a replay's error and halts the replay until an operator resumes it. */
export async function haltReplay(pool: Pool, { id, epoch, phase }: Replay, error: string): Promise<void> {
  await execute(pool, HALT, [id, epoch, error, phase]);
}
