import { inTransaction, type Pool, statement, type Transaction } from '@milepost/postgres';
import { lockHead } from './head.ts';
import { fleetOf, type IncomingRecord } from './prepare.ts';

/**
 * Another process has claimed the source, its offset has moved, or it has been stopped. The batch was not stored, and
 * this process must claim the source again before it continues.
 */
export class SourceFencedError extends Error {
  override name = 'SourceFencedError';
}

/** A fence in this log refuses the records of some fleets, so the batch was not stored. */
export class FleetFencedError extends Error {
  override name = 'FleetFencedError';
  readonly fleetIds: readonly string[];

  constructor(fleetIds: readonly string[]) {
    const moved =
      fleetIds.length === 1
        ? `Fleet ${fleetIds[0]} has been moved or is being moved`
        : 'Fleets have been moved or are being moved';
    super(`${moved} to another lane: try again once the move has ended.`);
    this.fleetIds = fleetIds;
  }
}

const LIST_REFUSED = statement('list-refused-fleets', { fleet_id: 'text' })`
  SELECT fleet_id FROM fleet_fence
  WHERE (fleet_id = ANY ($1) AND NOT stores) OR (fleet_id = ANY ($2) AND NOT passes)`;

/** Returns the fleets whose drivers or trips the records are about. */
export function fleetsOf(records: readonly IncomingRecord[]): Set<string> {
  return new Set(records.flatMap(({ prepared }) => fleetOf(prepared) ?? []));
}

/**
 * Throws FleetFencedError when a fence forbids storing records of the fleets in `stored`, or skipping records of the
 * fleets in `fleetsElsewhere`. The caller must hold the lock on the head, because every change to a fence takes the
 * same lock.
 */
export async function refuseFenced(
  transaction: Transaction,
  stored: ReadonlySet<string>,
  fleetsElsewhere: ReadonlySet<string>,
): Promise<void> {
  if (stored.size + fleetsElsewhere.size === 0) return;
  const refused = await transaction.rows(LIST_REFUSED, [[...stored], [...fleetsElsewhere]]);
  if (refused.length > 0) throw new FleetFencedError(refused.map(({ fleet_id }) => fleet_id));
}

/** Another process has taken over the fleet move, so this process must stop. */
export class MoveTakenError extends Error {
  override name = 'MoveTakenError';

  constructor() {
    super('Another process has taken over the move.');
  }
}

/** What a lane does with one fleet's records. */
interface Fence {
  fleetId: string;
  /** Whether the lane may store the records. */
  stores: boolean;
  /** Whether the lane may skip the records because they belong to another lane. */
  passes: boolean;
  /** The epoch of the process that is moving the fleet. */
  epoch: number;
}

const SET_FENCE = statement('set-fleet-fence')`
  INSERT INTO fleet_fence AS fence (fleet_id, stores, passes, epoch) VALUES ($1, $2, $3, $4)
  ON CONFLICT (fleet_id) DO UPDATE SET stores = excluded.stores, passes = excluded.passes, epoch = excluded.epoch
  WHERE fence.epoch <= excluded.epoch`;

const MARK_FENCES = statement('mark-head-fences')`UPDATE log_head SET has_fences = true WHERE NOT has_fences`;

/**
 * Sets a fleet's fence. Every append that commits afterwards obeys the fence.
 *
 * @param pool connections made as the role `milepost_ingest`
 * @throws MoveTakenError when a process with a higher epoch has already set the fence
 */
export async function setFence(pool: Pool, { fleetId, stores, passes, epoch }: Fence): Promise<void> {
  await inTransaction(pool, async (transaction) => {
    await lockHead(transaction);
    if ((await transaction.execute(SET_FENCE, [fleetId, stores, passes, epoch])) === 0) throw new MoveTakenError();
    await transaction.execute(MARK_FENCES);
  });
}
