import { fleetOf, type IncomingRecord } from '@milepost/event-log';
import type { Pool } from '@milepost/postgres';
import { FIRST_LANE, type FleetLanes } from '@milepost/postgres/lanes';

/** The lanes that this process stores records in, and the lanes of their fleets. */
export interface IngestLanes {
  /** Connections in the role `milepost_ingest` by the number of the lane. */
  pools: ReadonlyMap<number, Pool>;
  fleets: Pick<FleetLanes, 'find'>;
}

/** Returns the pool of a lane in which a record or a claim is stored. */
export function poolOf({ pools }: IngestLanes, lane: number): Pool {
  const pool = pools.get(lane);
  if (!pool) throw new Error(`There is no lane ${lane}.`);
  return pool;
}

/** A fleet is in a lane that was created after this process started. */
class UnknownLaneError extends Error {
  override name = 'UnknownLaneError';
}

/**
 * Returns the records of each lane, in order. A record that names no fleet, or several, belongs to the first lane.
 *
 * @throws UnknownLaneError when the process has no pool for a lane
 */
export async function groupByLane(
  { pools, fleets }: IngestLanes,
  records: readonly IncomingRecord[],
): Promise<ReadonlyMap<number, IncomingRecord[]>> {
  const named = records.map(({ prepared }) => fleetOf(prepared));
  const lanes = await fleets.find(new Set(named.filter((fleetId) => fleetId !== null)));
  const groups = new Map<number, IncomingRecord[]>();
  for (const [index, record] of records.entries()) {
    const fleetId = named[index] ?? null;
    const lane = fleetId === null ? FIRST_LANE : (lanes.get(fleetId) ?? FIRST_LANE);
    if (!pools.has(lane)) throw new UnknownLaneError(`The fleet ${fleetId} is in lane ${lane}, which is new.`);
    const group = groups.get(lane);
    if (group) group.push(record);
    else groups.set(lane, [record]);
  }
  return groups;
}
