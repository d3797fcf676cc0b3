import type { Pool } from 'pg';
import { type LaneLoad, placeFleets } from './fleets.ts';

/** Limits the memory of the cache: about 20 MB. */
const MAX_CACHED_FLEETS = 100_000;

/** Finds the lanes of fleets, and places new fleets. It caches what it has found. */
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

  /** Returns the lane of each fleet. */
  async find(fleetIds: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    const unknown = [...fleetIds].filter((fleetId) => !this.#cached.has(fleetId));
    if (unknown.length === 0) return this.#cached;
    const placed = await placeFleets(this.#directory, unknown, this.#readLoads);
    const known = [...fleetIds].flatMap((fleetId): [string, number][] => {
      const lane = this.#cached.get(fleetId);
      return lane === undefined ? [] : [[fleetId, lane]];
    });
    if (this.#cached.size + placed.size > MAX_CACHED_FLEETS) this.#cached.clear();
    const found = new Map([...known, ...placed]);
    for (const [fleetId, lane] of found) this.#cached.set(fleetId, lane);
    return found;
  }
}
