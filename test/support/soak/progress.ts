import { retry } from '../faults/patience.ts';
import type { Victim } from './plan.ts';
import { MOVING_FLEET } from './records.ts';
import type { SoakWorld } from './world.ts';

/** SQL that returns a string for each kind of process. It changes whenever that process makes progress in a lane. */
const IN_LANE = {
  ingest: `SELECT sum(next_offset)::text AS state FROM log_source WHERE topic NOT LIKE '%:%'`,
  projector: 'SELECT min(checkpoint)::text AS state FROM generation WHERE live',
  ops: `SELECT concat_ws('/', max(replay_id), (array_agg(phase ORDER BY replay_id DESC))[1],
          (SELECT count(*) FROM replay_chunk WHERE done)) AS state FROM replay`,
} as const;

async function stateOf(world: SoakWorld, part: keyof typeof IN_LANE): Promise<string> {
  return (await world.inLanes<{ state: string | null }>(IN_LANE[part])).map(({ state }) => state).join();
}

/** Returns how many times partitions have been claimed. The number increases when a process claims a partition. */
export async function claimsOf(world: SoakWorld): Promise<number> {
  const rows = await world.inLanes<{ epochs: string }>(
    `SELECT coalesce(sum(epoch), 0) AS epochs FROM log_source WHERE topic NOT LIKE '%:%'`,
  );
  return rows.reduce((sum, { epochs }) => sum + Number(epochs), 0);
}

/** Returns a string that changes when the fleet's last move is claimed or advances. */
export async function moveOf(world: SoakWorld): Promise<string> {
  const { rows } = await retry(() =>
    world.directory.query<{ state: string }>(
      `SELECT concat_ws('/', fleet_move_id, epoch, step, position) AS state FROM fleet_move WHERE fleet_id = $1
       ORDER BY fleet_move_id DESC LIMIT 1`,
      [MOVING_FLEET],
    ),
  );
  return rows[0]?.state ?? '';
}

/**
 * Returns strings. When all of them have changed, the victim has advanced. After a fault in a server, both ingest and
 * the projector must advance.
 */
export async function progressOf(world: SoakWorld, victim: Victim): Promise<string[]> {
  switch (victim) {
    case 'ingest':
    case 'projector':
    case 'ops':
      return [await stateOf(world, victim)];
    case 'move':
      return [await moveOf(world)];
    case 'redis':
      return [await stateOf(world, 'ops')];
    case 'postgres':
    case 'kafka':
      return [await stateOf(world, 'ingest'), await stateOf(world, 'projector')];
  }
}
