import { inTransaction, type Pool, queryRow, ROLES, statement } from '@milepost/postgres';
import type { Projection } from '@milepost/projections/engine';
import { REQUEST_CLEANUP } from './clean-up.ts';
import { type ErasedTrip, eraseFromLog, lockDeadLettersAbout } from './log.ts';
import { eraseFromGenerations, lockAllGenerations } from './read-tables.ts';
import { FORGET_FAULTS } from './reports.ts';

/** An operator's request to erase a driver. */
export interface Erasure {
  fleetId: string;
  /** The driver's id. After an erasure that kept the aggregates, the pseudonym is accepted as well. */
  driverId: string;
  /** The reason for the erasure, which is kept forever, so it must not identify the person. */
  reason: string;
  /** Whether to keep the daily and weekly figures under the pseudonym. */
  keepAggregates: boolean;
}

interface ErasureInLane extends Erasure {
  /**
   * Whether another log had data about the driver. If true, the erasure is recorded even if this log has no such data.
   */
  isNamedElsewhere?: boolean;
  /** The trips that another lane attributes to the driver. */
  trips?: readonly ErasedTrip[];
  /** Whether the log may contain stored events about the fleet. If false, only dead letters can be about the driver. */
  hasFleet?: boolean;
}

/**
 * Why a driver cannot be erased. `erased` means that an earlier erasure removed everything. `aggregates_kept` means
 * that an earlier erasure kept the aggregates and this erasure would too.
 */
export type NothingToErase = { code: 'unknown' } | { code: 'erased' | 'aggregates_kept'; position: number };

/** The driver has no data to erase. */
export class NothingToEraseError extends Error {
  override name = 'NothingToEraseError';
  readonly reason: NothingToErase;

  constructor(reason: NothingToErase) {
    super(`There is nothing to erase: ${reason.code}.`);
    this.reason = reason;
  }
}

/**
 * Finds a driver's hash, pseudonym and most recent erasure, if any. Accepts the pseudonym of a driver whose aggregates
 * have been kept, because the operator may no longer know the id.
 */
const FIND_ERASURE = statement('find-erasure', {
  hash: 'bytes',
  pseudonym: 'text',
  earlierPosition: 'number?',
  earlierKeptAggregates: 'boolean?',
})`
  WITH earlier AS (
    SELECT * FROM erasure
    WHERE fleet_id = $1 AND (pseudonym = $2 OR driver_hash = driver_hash($1, $2))
    ORDER BY position DESC LIMIT 1)
  SELECT driver.hash, 'erased-' || left(encode(driver.hash, 'hex'), 16) AS pseudonym,
    earlier.position AS "earlierPosition", earlier.keep_aggregates AS "earlierKeptAggregates"
  FROM (SELECT coalesce((SELECT driver_hash FROM earlier), driver_hash($1, $2)) AS hash) driver
  LEFT JOIN earlier ON true`;

/**
 * Erases a driver in one transaction from the log, from every generation of every read table, from the dead letters,
 * and from the reports of replays and audits. While the erasure is running, appends, projectors and replays wait, but
 * readers continue. Afterwards, every record about the driver is refused, and its bytes are not stored.
 *
 * @param pool connections made as the eraser role, with a login that is also a member of the projector role
 * @throws NothingToEraseError when there is nothing to erase
 */
export async function eraseDriver(pool: Pool, projections: readonly Projection[], request: ErasureInLane) {
  const { fleetId, driverId, keepAggregates, reason, isNamedElsewhere = false, trips = [], hasFleet = true } = request;
  return await inTransaction(pool, async (transaction) => {
    const locked = await lockDeadLettersAbout(transaction, { fleetId, id: driverId, trips });
    await transaction.actAs(ROLES.projector);
    const generations = hasFleet ? await lockAllGenerations(transaction) : null;
    await transaction.actAs(ROLES.eraser);
    // Reads the state after taking the locks, because another erasure of the driver may have held them until now.
    const state = await transaction.row(FIND_ERASURE, [fleetId, driverId]);
    const { hash, pseudonym, earlierPosition, earlierKeptAggregates } = state;
    if (earlierPosition !== null && !(earlierKeptAggregates && !keepAggregates)) {
      const code = earlierKeptAggregates ? 'aggregates_kept' : 'erased';
      throw new NothingToEraseError({ code, position: earlierPosition });
    }
    const isKnown = isNamedElsewhere || earlierPosition !== null;
    const driver = { fleetId, id: driverId, pseudonym, keepAggregates };
    const erased = await eraseFromLog(transaction, driver, { hash, reason, locked, trips, isKnown });
    if (!erased) throw new NothingToEraseError({ code: 'unknown' });
    await transaction.execute(FORGET_FAULTS);
    await transaction.execute(REQUEST_CLEANUP, [fleetId]);
    await transaction.actAs(ROLES.projector);
    if (generations) await eraseFromGenerations(transaction, projections, generations, driver);
    const { position, ...redacted } = erased;
    return { position, fleet_id: fleetId, pseudonym, aggregates_kept: keepAggregates, ...redacted };
  });
}

/** Returns the pseudonym that replaces an erased driver's id and identifies the erasure, but not the person. */
export async function pseudonymOf(pool: Pool, fleetId: string, driverId: string): Promise<string> {
  return (await queryRow(pool, FIND_ERASURE, [fleetId, driverId])).pseudonym;
}
