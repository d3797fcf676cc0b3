import {
  actAs,
  boolean,
  bytes,
  inTransaction,
  nullable,
  number,
  type Pool,
  ROLES,
  type RowOf,
  statement,
  type Transaction,
  text,
} from '@milepost/postgres';
import type { Projection } from '@milepost/projections/engine';
import { REQUEST_CLEANUP } from './clean-up.ts';
import { type ErasedTrip, eraseFromLog, lockDeadLettersAbout } from './log.ts';
import { eraseFromGenerations, lockAllGenerations } from './read-tables.ts';
import { eraseFromAudits } from './reports.ts';

interface EraseRequest {
  fleetId: string;
  /** The driver's id. After an erasure that kept the aggregates, the pseudonym is accepted as well. */
  driverId: string;
  /** The reason for the erasure. It is kept forever, so it must not identify the person. */
  reason: string;
  /** Whether to keep the daily and weekly figures under the pseudonym. */
  keepAggregates: boolean;
  /** Whether another log had data about the driver. If so, the erasure is recorded in any case. */
  isNamedElsewhere?: boolean;
  /** The trips that another lane attributes to the driver. */
  trips?: readonly ErasedTrip[];
  /** Whether the log may have stored events of the fleet. Otherwise only dead letters can be about the driver. */
  hasFleet?: boolean;
}

/**
 * Why a driver cannot be erased. `erased` means that an earlier erasure removed everything, and `aggregates_kept` that
 * an earlier erasure kept the aggregates and this one would do the same.
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

/** The result of an erasure. */
interface Erasure {
  /** The position of the erasure's stored event. */
  position: number;
  fleet_id: string;
  pseudonym: string;
  aggregates_kept: boolean;
  /** The number of redacted stored events. */
  stored_events: number;
  dead_letters: number;
}

/** The state of a driver before the erasure. The `earlier*` fields describe the newest earlier erasure, if any. */
type ErasureState = RowOf<typeof FIND_ERASURE>;

/** Accepts the pseudonym of a driver whose aggregates were kept, because the operator may no longer know the id. */
const FIND_ERASURE = statement('find-erasure', {
  hash: bytes,
  pseudonym: text,
  earlierPosition: nullable(number),
  earlierKeptAggregates: nullable(boolean),
})`
  WITH earlier AS (
    SELECT * FROM erasure
    WHERE fleet_id = $1 AND (pseudonym = $2 OR driver_hash = driver_hash($1, $2))
    ORDER BY position DESC LIMIT 1)
  SELECT driver.hash, 'erased-' || left(encode(driver.hash, 'hex'), 16) AS pseudonym,
    earlier.position AS "earlierPosition", earlier.keep_aggregates AS "earlierKeptAggregates"
  FROM (SELECT coalesce((SELECT driver_hash FROM earlier), driver_hash($1, $2)) AS hash) driver
  LEFT JOIN earlier ON true`;

/** Returns the driver's hash and pseudonym, and the earlier erasure, if any. */
async function findErasure(transaction: Transaction, fleetId: string, driverId: string): Promise<ErasureState> {
  const [state] = await transaction.rows(FIND_ERASURE, [fleetId, driverId]);
  if (!state) throw new Error('The driver could not be looked up.');
  return state;
}

function assertSomethingToErase(
  { earlierPosition, earlierKeptAggregates }: ErasureState,
  { keepAggregates }: EraseRequest,
): void {
  if (earlierPosition === null || (earlierKeptAggregates && !keepAggregates)) return;
  throw new NothingToEraseError({
    code: earlierKeptAggregates ? 'aggregates_kept' : 'erased',
    position: earlierPosition,
  });
}

/**
 * Erases a driver in one transaction from the log, from every generation of every read table, from the dead letters,
 * and from the reports of replays and audits. While it runs, appends, projectors and replays wait, but readers
 * continue. Afterwards, every record about the driver is refused without storing its bytes.
 *
 * @param pool connections made as the eraser role, with a login that is also a member of the projector role
 * @throws NothingToEraseError when there is nothing to erase
 */
export async function eraseDriver(
  pool: Pool,
  projections: readonly Projection[],
  request: EraseRequest,
): Promise<Erasure> {
  const { fleetId, driverId, keepAggregates, reason, isNamedElsewhere = false, trips = [], hasFleet = true } = request;
  return await inTransaction(pool, async (transaction) => {
    const locked = await lockDeadLettersAbout(transaction, { fleetId, id: driverId, trips });
    await actAs(transaction, ROLES.projector);
    const generations = hasFleet ? await lockAllGenerations(transaction) : null;
    await actAs(transaction, ROLES.eraser);
    // Reads the state after taking the locks, because another erasure of the same driver may have held them until now.
    const state = await findErasure(transaction, fleetId, driverId);
    assertSomethingToErase(state, request);
    const { hash, pseudonym, earlierPosition } = state;
    const isKnown = isNamedElsewhere || earlierPosition !== null;
    const driver = { fleetId, id: driverId, pseudonym, keepAggregates };
    const erased = await eraseFromLog(transaction, driver, { hash, reason, locked, trips, isKnown });
    if (!erased) throw new NothingToEraseError({ code: 'unknown' });
    await eraseFromAudits(transaction);
    await transaction.execute(REQUEST_CLEANUP, [fleetId]);
    await actAs(transaction, ROLES.projector);
    if (generations) await eraseFromGenerations(transaction, projections, generations, driver);
    return {
      position: erased.position,
      fleet_id: fleetId,
      pseudonym,
      aggregates_kept: keepAggregates,
      stored_events: erased.storedEvents,
      dead_letters: erased.deadLetters,
    };
  });
}

/** Returns the pseudonym that replaces the id of an erased driver. It identifies the erasure but not the person. */
export async function pseudonymOf(pool: Pool, fleetId: string, driverId: string): Promise<string> {
  return await inTransaction(pool, async (transaction) => {
    return (await findErasure(transaction, fleetId, driverId)).pseudonym;
  });
}
