import { fleetOf, type IncomingRecord } from '@milepost/event-log';
import type { Pool } from '@milepost/postgres';
import { FIRST_LANE, type FleetLanes } from '@milepost/postgres/lanes';

/** The lanes in which this process stores records, and the list of the fleets with their lanes. */
export interface IngestLanes {
  /** Pools whose connections use the role `milepost_ingest`, by the number of the lane. */
  pools: ReadonlyMap<number, Pool>;
  fleets: Pick<FleetLanes, 'find' | 'forget'>;
  /** Reads whether these are still all lanes. */
  areCurrent: () => Promise<boolean>;
}

/** Returns the pool of a lane in which a record or a claim is stored. */
export function poolOf({ pools }: IngestLanes, lane: number): Pool {
  const pool = pools.get(lane);
  if (!pool) throw new Error(`There is no lane ${lane}.`);
  return pool;
}

/** A lane was created after this process had read the list of lanes: it must read the list again. */
export class NewLaneError extends Error {
  override name = 'NewLaneError';
}

/**
 * Returns the records of each lane, in order. A record that names no fleet, or several, belongs to the first lane.
 *
 * @throws NewLaneError when the process has no pool for a lane
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
    const lane = fleetId === null ? FIRST_LANE : lanes.get(fleetId);
    if (lane === undefined) throw new Error(`The lane of the fleet ${fleetId} was not found.`);
    if (!pools.has(lane)) throw new NewLaneError(`The fleet ${fleetId} is in lane ${lane}, which is new.`);
    const group = groups.get(lane);
    if (group) group.push(record);
    else groups.set(lane, [record]);
  }
  return groups;
}
