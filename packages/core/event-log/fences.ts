import { statement, type Transaction } from '@milepost/postgres';
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
export function fleetsOf(records: Iterable<IncomingRecord>): Set<string> {
  const fleetIds = new Set<string>();
  for (const { prepared } of records) {
    const fleetId = fleetOf(prepared);
    if (fleetId !== null) fleetIds.add(fleetId);
  }
  return fleetIds;
}

/**
 * Throws FleetFencedError when a fence forbids storing records of the fleets in `stored`, or skipping records of the
 * fleets in `passed`. The caller must hold the lock on the head, because every change to a fence takes the same lock.
 */
export async function refuseFenced(
  transaction: Transaction,
  stored: ReadonlySet<string>,
  passed: ReadonlySet<string>,
): Promise<void> {
  if (stored.size + passed.size === 0) return;
  const refused = await transaction.rows(LIST_REFUSED, [[...stored], [...passed]]);
  if (refused.length > 0) throw new FleetFencedError(refused.map(({ fleet_id }) => fleet_id));
}
