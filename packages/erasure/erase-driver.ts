import { inTransaction, type Pool, ROLES, type Role, type Transaction } from '@milepost/postgres';
import type { Projection } from '@milepost/projections/engine';
import { eraseFromLog, holdLetters } from './log/erase-from-log.ts';
import { type ErasureState, findErasure } from './log/sql/find-erasure.ts';
import { eraseFromGenerations } from './read-tables/erase.ts';
import { holdGenerations } from './read-tables/generations.ts';
import { eraseFromAudits } from './read-tables/reports.ts';

export interface EraseRequest {
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
export interface Erasure {
  /** Of the stored event that says that it happened. */
  position: number;
  fleet_id: string;
  pseudonym: string;
  aggregates_kept: boolean;
  /** How many were redacted. */
  stored_events: number;
  dead_letters: number;
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
    const held = await holdLetters(transaction, request);
    await actAs(transaction, ROLES.projector);
    const generations = await holdGenerations(transaction);
    await actAs(transaction, ROLES.eraser);
    // Not before: an erasure of the same driver, for which we waited, is seen.
    const state = await findErasure(transaction, fleetId, driverId);
    assertLeft(state, request);
    const { hash, pseudonym } = state;
    const driver = { fleetId, driverId, pseudonym, keepAggregates };
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
