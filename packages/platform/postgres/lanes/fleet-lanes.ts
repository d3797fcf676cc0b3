import type { Pool } from 'pg';
import { type LaneLoad, placeFleets } from './fleets.ts';

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
    const placed = await placeFleets(this.#directory, unknown, this.#readLoads);
    if (this.#cached.size + placed.size > MAX_CACHED_FLEETS) this.#cached.clear();
    for (const [fleetId, lane] of placed) {
      this.#cached.set(fleetId, lane);
      found.set(fleetId, lane);
    }
    return found;
  }
}
