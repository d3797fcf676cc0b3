import type { Pool } from 'pg';
import { laneAt } from '../parts.ts';
import type { Role } from '../roles.ts';
import { FIRST_LANE, type Lane, listLanes } from './lanes.ts';

/**
 * A process's pools on the lanes, one for each lane that it has used. Until the directory has been read, only lane 0 is
 * known, so a process can start without its database.
 */
export class LanePools {
  readonly #directory: Pool;
  readonly #url: string;
  readonly #open: (lane: Lane) => Pool;
  readonly #pools = new Map<number, Pool>();

  /**
   * @param url the URL of the process's database
   * @param open opens a lane's pool; the lanes on a server share connections
   */
  constructor(directory: Pool, url: string, open: (lane: Lane) => Pool) {
    this.#directory = directory;
    this.#url = url;
    this.#open = open;
    this.#add({ ...laneAt(url), number: FIRST_LANE });
  }

  /** The numbers of the known lanes. */
  get numbers(): number[] {
    return [...this.#pools.keys()];
  }

  /** The pools of the known lanes. */
  get all(): Iterable<Pool> {
    return this.#pools.values();
  }

  /** Reads the list of lanes. */
  async refresh(): Promise<void> {
    for (const lane of await listLanes(this.#directory, this.#url)) this.#add(lane);
  }

  /** Returns the pool for a lane listed in the directory. */
  async find(lane: number): Promise<Pool> {
    if (!this.#pools.has(lane)) await this.refresh();
    return this.of(lane);
  }

  /** Returns the pool of a known lane. */
  of(lane: number): Pool {
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

/** A lane, and a process's connections to it. */
export interface LaneAccess extends Lane {
  /** Returns connections that act as a database role. */
  readonly pool: (role: Role) => Pool;
}

/** The pools of a process that acts on the lanes in several roles. Lane 0 is known before the directory is read. */
export class RolePools {
  /** Lane 0. */
  readonly first: LaneAccess;
  readonly #directory: Pool;
  readonly #url: string;
  readonly #open: (lane: Lane, role: Role) => Pool;
  /** The opened pools, by the lane's number and the role. */
  readonly #pools = new Map<string, Pool>();

  /**
   * @param url the URL of the process's database
   * @param open opens a lane's pool in a role; the lanes on a server share connections
   */
  constructor(directory: Pool, url: string, open: (lane: Lane, role: Role) => Pool) {
    this.#directory = directory;
    this.#url = url;
    this.#open = open;
    this.first = this.#accessTo({ ...laneAt(url), number: FIRST_LANE });
  }

  /** Reads the list of lanes. */
  async list(): Promise<LaneAccess[]> {
    return (await listLanes(this.#directory, this.#url)).map((lane) => this.#accessTo(lane));
  }

  async end(): Promise<void> {
    await Promise.all(this.#pools.values().map((pool) => pool.end()));
  }

  #accessTo(lane: Lane): LaneAccess {
    const pool = (role: Role) => {
      const key = `${lane.number} ${role}`;
      const opened = this.#pools.get(key) ?? this.#open(lane, role);
      this.#pools.set(key, opened);
      return opened;
    };
    return { ...lane, pool };
  }
}
