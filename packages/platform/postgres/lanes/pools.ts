import type { Pool } from 'pg';
import { laneAt } from '../parts.ts';
import { partPool } from '../pool.ts';
import { FIRST_LANE, type Lane, listLanes } from './lanes.ts';

/**
 * A process's pools on the lanes, one for each lane that it has used. Until the directory has been read, only lane 0 is
 * known, so a process can start without its database.
 */
export class LanePools<Opened extends { end: () => Promise<void> } = Pool> {
  readonly #directory: Pool;
  readonly #open: (lane: Lane) => Opened;
  readonly #pools = new Map<number, Opened>();

  /** @param open opens a lane's pool; the lanes on a server share connections */
  constructor(directory: Pool, open: (lane: Lane) => Opened) {
    this.#directory = directory;
    this.#open = open;
    this.#add({ ...laneAt(partPool(directory).part.url), number: FIRST_LANE });
  }

  /** The pool of lane 0. */
  get first(): Opened {
    return this.of(FIRST_LANE);
  }

  /** The numbers of the known lanes. */
  get numbers(): number[] {
    return [...this.#pools.keys()];
  }

  /** The pools of the known lanes. */
  get all(): Iterable<Opened> {
    return this.#pools.values();
  }

  /** Reads the list of lanes. */
  async refresh(): Promise<void> {
    for (const lane of await listLanes(this.#directory)) this.#add(lane);
  }

  /** Returns the pool for a lane listed in the directory. */
  async find(lane: number): Promise<Opened> {
    if (!this.#pools.has(lane)) await this.refresh();
    return this.of(lane);
  }

  /** Returns the pool of a known lane. */
  of(lane: number): Opened {
    const pool = this.#pools.get(lane);
    if (!pool) throw new Error(`There is no lane ${lane}.`);
    return pool;
  }

  async end(): Promise<void> {
    await Promise.all(this.#pools.values().map((pool) => pool.end()));
  }

  #add(lane: Lane): void {
    if (!this.#pools.has(lane.number)) this.#pools.set(lane.number, this.#open(lane));
  }
}
