import {
  boolean,
  bytes,
  inTransaction,
  nullable,
  number,
  type Pool,
  ROLES,
  type Role,
  type RowOf,
  statement,
  type Transaction,
  text,
} from '@milepost/postgres';
import type { Projection } from '@milepost/projections/engine';
import { eraseFromLog, holdLetters } from './log.ts';
import { eraseFromGenerations, holdGenerations } from './read-tables.ts';
import { eraseFromAudits } from './reports.ts';

interface EraseRequest {
  fleetId: string;
  /** The driver's id; after an erasure that kept the aggregates, the pseudonym as well. */
  driverId: string;
  /** Why; kept for good, so it must not name the person. */
  reason: string;
  /** Keep the daily and weekly figures under the pseudonym. */
  keepAggregates: boolean;
}

/** Why a driver cannot be erased: as an earlier erasure left nothing, or kept the aggregates as this one would. */
export type NothingToErase = { code: 'unknown' } | { code: 'erased' | 'aggregates_kept'; position: number };

/** There is nothing to erase. */
export class NothingToEraseError extends Error {
  override name = 'NothingToEraseError';
  readonly reason: NothingToErase;

  constructor(reason: NothingToErase) {
    super(`There is nothing to erase: ${reason.code}.`);
    this.reason = reason;
  }
}

/** What an erasure has left. */
interface Erasure {
  /** Of the stored event that says that it happened. */
  position: number;
  fleet_id: string;
  pseudonym: string;
  aggregates_kept: boolean;
  /** How many were redacted. */
  stored_events: number;
  dead_letters: number;
}

/** What is known of a driver before the erasure. `earlier*` say of the newest erasure before, if there was one. */
type ErasureState = RowOf<typeof FIND_ERASURE>;

/** A driver who was erased with the aggregates kept may be named by the pseudonym as well: nobody need know the id by then. */
const FIND_ERASURE = statement('find-erasure', {
  hash: bytes,
  pseudonym: text,
  earlierPosition: nullable(number),
  earlierKeptAggregates: nullable(boolean),
})`
  WITH earlier AS (
    SELECT * FROM log.erasure
    WHERE fleet_id = $1 AND (pseudonym = $2 OR driver_hash = log.driver_hash($1, $2))
    ORDER BY position DESC LIMIT 1)
  SELECT driver.hash, 'erased-' || left(encode(driver.hash, 'hex'), 16) AS pseudonym,
    earlier.position AS "earlierPosition", earlier.keep_aggregates AS "earlierKeptAggregates"
  FROM (SELECT coalesce((SELECT driver_hash FROM earlier), log.driver_hash($1, $2)) AS hash) driver
  LEFT JOIN earlier ON true`;

/** The driver's hash and pseudonym, and whether the driver was erased before. */
async function findErasure(transaction: Transaction, fleetId: string, driverId: string): Promise<ErasureState> {
  const [state] = await transaction.rows(FIND_ERASURE, [fleetId, driverId]);
  if (!state) throw new Error('The driver could not be looked up.');
  return state;
}

/** The login's session may act in either role; until the end of the transaction it acts in this one. */
async function actAs(transaction: Transaction, role: Role): Promise<void> {
  await transaction.run(`SET LOCAL ROLE ${role}`);
}

function assertLeft({ earlierPosition, earlierKeptAggregates }: ErasureState, { keepAggregates }: EraseRequest): void {
  if (earlierPosition === null || (earlierKeptAggregates && !keepAggregates)) return;
  throw new NothingToEraseError({
    code: earlierKeptAggregates ? 'aggregates_kept' : 'erased',
    position: earlierPosition,
  });
}

/**
 * Erases a driver in one transaction: out of the log, out of every generation of every read table, out of the dead letters
 * and out of the reports of replays and audits. While it runs, nobody can append, project or replay; readers go on. From then on
 * every record about the driver is refused without its bytes.
 *
 * @param pool connections in the eraser's role, of a login that is a member of the projector's as well
 * @throws NothingToEraseError when there is nothing to erase
 */
export async function eraseDriver(
  pool: Pool,
  projections: readonly Projection[],
  request: EraseRequest,
): Promise<Erasure> {
  const { fleetId, driverId, keepAggregates, reason } = request;
  return await inTransaction(pool, async (transaction) => {
    const held = await holdLetters(transaction, { fleetId, id: driverId });
    await actAs(transaction, ROLES.projector);
    const generations = await holdGenerations(transaction);
    await actAs(transaction, ROLES.eraser);
    // Not before: an erasure of the same driver, for which we waited, is seen.
    const state = await findErasure(transaction, fleetId, driverId);
    assertLeft(state, request);
    const { hash, pseudonym } = state;
    const driver = { fleetId, id: driverId, pseudonym, keepAggregates };
    const erased = await eraseFromLog(transaction, driver, { hash, reason, held });
    if (!erased) throw new NothingToEraseError({ code: 'unknown' });
    await eraseFromAudits(transaction, driver);
    await actAs(transaction, ROLES.projector);
    await eraseFromGenerations(transaction, projections, generations, driver);
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

/** What stands in place of a driver's id once erased, by which the erasure can be spoken of without naming the person. */
export async function pseudonymOf(pool: Pool, fleetId: string, driverId: string): Promise<string> {
  return await inTransaction(pool, async (transaction) => {
    return (await findErasure(transaction, fleetId, driverId)).pseudonym;
  });
}
