import type { Pool } from 'pg';
import type { Role } from '../roles.ts';
import type { Lane } from './lanes.ts';
import { LanePools } from './pools.ts';

/** A lane, and a process's connections to it. */
export interface LaneAccess extends Lane {
  /** Returns connections that act as a database role. */
  readonly pool: (role: Role) => Pool;
}

function accessTo(lane: Lane, open: (lane: Lane, role: Role) => Pool) {
  const pools = new Map<Role, Pool>();
  const pool = (role: Role) => {
    const opened = pools.get(role) ?? open(lane, role);
    pools.set(role, opened);
    return opened;
  };
  return { ...lane, pool, end: async () => void (await Promise.all(pools.values().map((each) => each.end()))) };
}

/** The pools of a process that acts on the lanes in several roles. */
export class RolePools extends LanePools<ReturnType<typeof accessTo>> {
  /** @param open opens a lane's pool as a role; the lanes on a server share connections */
  constructor(directory: Pool, open: (lane: Lane, role: Role) => Pool) {
    super(directory, (lane) => accessTo(lane, open));
  }

  /** Reads the list of lanes. */
  async list(): Promise<LaneAccess[]> {
    await this.refresh();
    return [...this.all];
  }
}
