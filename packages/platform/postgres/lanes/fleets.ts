import type { Pool } from 'pg';
import { execute, query, statement } from '../statement.ts';

const FIND_LANES = statement('find-lanes-of-fleets', { fleet_id: 'text', lane: 'number' })`
  SELECT fleet_id, lane FROM fleet WHERE fleet_id = ANY ($1)`;

/** A recently placed fleet counts as if it had an average number of stored events, because more events may follow. */
const COUNT_FLEETS = statement('count-placed-fleets', { lane: 'number', fleets: 'number', recent_fleets: 'number' })`
  SELECT lane, count(*) AS fleets, count(*) FILTER (WHERE placed_at > now() - interval '1 minute') AS recent_fleets
  FROM fleet WHERE lane = ANY ($1) GROUP BY lane`;

/** The first process to insert a fleet's row decides for all processes. The order prevents deadlocks. */
export const PLACE_FLEETS = statement('place-fleets')`
  INSERT INTO fleet (fleet_id, lane) SELECT fleet_id, lane FROM unnest($1::text[], $2::integer[]) AS new (fleet_id, lane)
  ORDER BY fleet_id ON CONFLICT DO NOTHING`;

/** Returns the lanes of the fleets that have one. */
export async function findLanes(directory: Pool, fleetIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await query(directory, FIND_LANES, [fleetIds]);
  return new Map(rows.map(({ fleet_id, lane }) => [fleet_id, lane]));
}

/** A lane in which new fleets may be placed, and the number of stored events in its log. */
export interface LaneLoad {
  lane: number;
  storedEvents: number;
}

/** Chooses a lane for each of `count` new fleets: the one with the fewest stored and expected events. */
async function chooseLanes(directory: Pool, count: number, loads: readonly LaneLoad[]): Promise<number[]> {
  const [only, ...others] = loads;
  if (only === undefined) throw new Error('A fleet needs a lane.');
  if (others.length === 0) return Array.from({ length: count }, () => only.lane);
  const counts = await query(directory, COUNT_FLEETS, [loads.map(({ lane }) => lane)]);
  const older = counts.reduce((sum, { fleets, recent_fleets }) => sum + fleets - recent_fleets, 0);
  const events = loads.reduce((sum, { storedEvents }) => sum + storedEvents, 0);
  const eventsOfFleet = Math.max(1, events / Math.max(1, older));
  const lanes = loads.map(({ lane, storedEvents }) => {
    const recent = counts.find((each) => each.lane === lane)?.recent_fleets ?? 0;
    return { lane, expected: storedEvents + recent * eventsOfFleet };
  });
  return Array.from({ length: count }, () => {
    const chosen = lanes.reduce((least, each) => (each.expected < least.expected ? each : least));
    chosen.expected += eventsOfFleet;
    return chosen.lane;
  });
}

/** With this maximum, the cache uses at most about 20 MB of memory. */
const MAX_CACHED_FLEETS = 100_000;

/** Finds and caches fleets' lanes, and places new fleets. */
export class FleetLanes {
  readonly #directory: Pool;
  readonly #readLoads: () => Promise<readonly LaneLoad[]>;
  readonly #cached = new Map<string, number>();

  /** @param readLoads returns the lanes among which new fleets are placed */
  constructor(directory: Pool, readLoads: () => Promise<readonly LaneLoad[]>) {
    this.#directory = directory;
    this.#readLoads = readLoads;
  }

  /** Removes fleets from the cache, because their lanes may have changed. */
  forget(fleetIds: Iterable<string>): void {
    for (const fleetId of fleetIds) this.#cached.delete(fleetId);
  }

  /** Returns each fleet's lane. Later changes to the cache do not affect the result. */
  async find(fleetIds: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    const unknown: string[] = [];
    for (const fleetId of fleetIds) {
      const lane = this.#cached.get(fleetId);
      if (lane === undefined) unknown.push(fleetId);
      else found.set(fleetId, lane);
    }
    if (unknown.length === 0) return found;
    const placed = await this.#place(unknown);
    if (this.#cached.size + placed.size > MAX_CACHED_FLEETS) this.#cached.clear();
    for (const [fleetId, lane] of placed) {
      this.#cached.set(fleetId, lane);
      found.set(fleetId, lane);
    }
    return found;
  }

  /** Returns each fleet's lane. A fleet without a lane is permanently placed in a lane. */
  async #place(fleetIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const found = await findLanes(this.#directory, fleetIds);
    const missing = fleetIds.filter((fleetId) => !found.has(fleetId));
    if (missing.length === 0) return found;
    const chosen = await chooseLanes(this.#directory, missing.length, await this.#readLoads());
    await execute(this.#directory, PLACE_FLEETS, [missing, chosen]);
    // Another process may have placed some of these fleets in the meantime.
    return new Map([...found, ...(await findLanes(this.#directory, missing))]);
  }
}
