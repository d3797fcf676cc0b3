import type { Pool, Transaction } from '@milepost/postgres';
import { ReplayTakenError } from '../errors.ts';
import { inSql, type Phase, RESTING_PHASES, type Replay, type Throttle } from '../replay.ts';
import { toThrottle } from './replays.ts';

/** How long a worker that says nothing keeps a replay. Too short a lease costs work done twice, never a wrong row. */
const LEASE_SECONDS = 5;

/**
 * Claims a replay that has something to do and that nobody holds. One statement, so that of two workers one gets it.
 *
 * @returns the epoch of the claim, null when there is nothing to claim
 */
export async function claimReplay(pool: Pool, id: number): Promise<number | null> {
  const { rows } = await pool.query<{ epoch: number }>({
    name: 'claim-replay',
    text: `UPDATE projection.replay SET epoch = epoch + 1, lease_expires_at = now() + interval '${LEASE_SECONDS} s'
           WHERE replay_id = $1 AND halted IS NULL AND (lease_expires_at IS NULL OR lease_expires_at < now())
             AND phase NOT IN ${inSql(RESTING_PHASES)}
           RETURNING epoch`,
    values: [id],
  });
  return rows[0]?.epoch ?? null;
}

/** What the operator wants of a replay at this moment. */
export interface Wanted {
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

/** Extends the lease and says what is wanted; null when the claim no longer holds. */
export async function renewLease(pool: Pool, id: number, epoch: number, rates: Rates): Promise<Wanted | null> {
  const { rows } = await pool.query<Omit<Wanted, 'throttle'> & { throttle: string }>({
    name: 'renew-replay-lease',
    text: `UPDATE projection.replay SET lease_expires_at = now() + interval '${LEASE_SECONDS} s', trips_per_second = $3,
             slowest_trips_per_second = $4, fastest_trips_per_second = $5, throttled_by = $6
           WHERE replay_id = $1 AND epoch = $2 RETURNING phase, halted, throttle`,
    values: [id, epoch, rates.current, rates.slowest, rates.fastest, rates.throttledBy],
  });
  const [row] = rows;
  return row ? { ...row, throttle: toThrottle(row.throttle) } : null;
}

/** Gives the replay back, so that the next worker need not wait for the lease to expire. */
export async function releaseLease(pool: Pool, id: number, epoch: number): Promise<void> {
  await pool.query({
    name: 'release-replay-lease',
    text: `UPDATE projection.replay SET lease_expires_at = NULL, trips_per_second = NULL, throttled_by = NULL
           WHERE replay_id = $1 AND epoch = $2`,
    values: [id, epoch],
  });
}

/**
 * Locks the replay until the transaction ends, if the claim still holds and the phase is still the one given. Whatever
 * must not be done twice, or not after a cancel, begins with it.
 *
 * @throws ReplayTakenError
 */
export async function holdReplay(transaction: Transaction, { id, phase }: Replay, epoch: number): Promise<void> {
  const held = await transaction.execute(
    {
      name: 'hold-replay',
      text: `SELECT FROM projection.replay WHERE replay_id = $1 AND epoch = $2 AND phase = $3 AND halted IS NULL FOR UPDATE`,
    },
    [id, epoch, phase],
  );
  if (held !== 1) throw new ReplayTakenError(id);
}
