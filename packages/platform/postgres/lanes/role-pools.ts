import type { Pool } from 'pg';
import { laneAt } from '../parts.ts';
import type { Role } from '../roles.ts';
import { FIRST_LANE, type Lane, listLanes } from './lanes.ts';

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
