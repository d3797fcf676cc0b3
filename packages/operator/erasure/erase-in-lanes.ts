import { type Pool, ROLES } from '@milepost/postgres';
import { FIRST_LANE } from '@milepost/postgres/lanes';
import { listLanesOfFleet } from '@milepost/postgres/lanes/fleet-homes';
import type { LaneAccess } from '@milepost/postgres/lanes/role-pools';
import type { Projection } from '@milepost/projections/engine';
import { type Erasure, eraseDriver, type NothingToErase, NothingToEraseError } from './erase-driver.ts';
import { findInCopy, isNamedInLetters, listErasedTrips } from './log.ts';

/** A fleet's lane, and how to find the others. */
interface Lanes {
  /** Connections to the directory, made as the operator role. */
  directory: Pool;
  home: LaneAccess;
  findLane: (number: number) => Promise<LaneAccess>;
}

/**
 * Lists the lanes besides the fleet's own that may contain data about a driver. These are the lanes that the fleet has
 * left or has begun to move to, and lane 0, which stores the records without a fleet.
 */
async function listOtherLanes({ directory, home, findLane }: Lanes, fleetId: string) {
  const ofFleet = new Set(await listLanesOfFleet(directory, fleetId));
  const numbers = [...new Set([FIRST_LANE, ...ofFleet])].filter((number) => number !== home.number);
  const lanes = await Promise.all(numbers.map(findLane));
  return lanes.map(({ number, pool }) => ({ pool: pool(ROLES.eraser), hasFleet: ofFleet.has(number) }));
}

/** Erases the driver in one lane, or returns why there is nothing to erase. */
async function tryToErase(...request: Parameters<typeof eraseDriver>) {
  return await eraseDriver(...request).catch((error: unknown): NothingToErase => {
    if (error instanceof NothingToEraseError) return error.reason;
    throw error;
  });
}

/**
 * Erases a driver in every lane that may contain data about the driver, beginning with the fleet's lane. If this fails
 * in one of the lanes, it can be repeated.
 *
 * @param pseudonym the driver's pseudonym in the fleet's lane
 * @throws NothingToEraseError when there is nothing to erase
 */
export async function eraseInLanes(
  lanes: Lanes,
  projections: readonly Projection[],
  erasure: Erasure,
  pseudonym: string,
) {
  const { fleetId, driverId } = erasure;
  const pool = lanes.home.pool(ROLES.eraser);
  // Nothing is erased if one of the lanes does not respond.
  const named = await Promise.all(
    (await listOtherLanes(lanes, fleetId)).map((lane) => isNamedInLetters(lane.pool, fleetId, driverId)),
  );
  const erased = await tryToErase(pool, projections, { ...erasure, isNamedElsewhere: named.includes(true) });
  if ('code' in erased && erased.code === 'unknown') throw new NothingToEraseError(erased);
  // The fleet's lane comes first, because only that lane has all of the driver's trips. That lane keeps a list of the
  // trips, so an erasure that failed in another lane can be repeated.
  const trips = await listErasedTrips(pool, fleetId, pseudonym);
  let redacted = 0;
  let isRepeated = false;
  // Lists the lanes again, because a move that began before the erasure may have copied the driver's data. A move that
  // begins after the erasure is refused.
  for (const { pool: other, hasFleet } of await listOtherLanes(lanes, fleetId)) {
    const id = driverId === pseudonym ? await findInCopy(pool, other, fleetId, pseudonym) : driverId;
    const request = { ...erasure, driverId: id, trips, hasFleet, isNamedElsewhere: true };
    const inLane = await tryToErase(other, projections, request);
    if ('code' in inLane) continue;
    redacted += inLane.dead_letters;
    isRepeated = true;
  }
  if (!('code' in erased)) return { ...erased, dead_letters: erased.dead_letters + redacted };
  if (!isRepeated) throw new NothingToEraseError(erased);
  // An earlier erasure redacted the stored events in the fleet's lane, but failed in another lane.
  const { code, position } = erased;
  const answer = { position, fleet_id: fleetId, pseudonym, aggregates_kept: code === 'aggregates_kept' };
  return { ...answer, stored_events: 0, dead_letters: redacted };
}
