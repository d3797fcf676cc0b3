import { inTransaction, type Pool, statement } from '@milepost/postgres';
import { lockHead } from './head.ts';

/** Another process has taken over the fleet move, so this process must stop. */
export class MoveTakenError extends Error {
  override name = 'MoveTakenError';

  constructor() {
    super('Another process has taken over the move.');
  }
}

/** What a lane does with one fleet's records. */
interface Fence {
  fleetId: string;
  /** Whether the lane may store the records. */
  stores: boolean;
  /** Whether the lane may skip the records because they belong to another lane. */
  passes: boolean;
  /** The epoch of the process that is moving the fleet. */
  epoch: number;
}

const SET_FENCE = statement('set-fleet-fence')`
  INSERT INTO fleet_fence AS fence (fleet_id, stores, passes, epoch) VALUES ($1, $2, $3, $4)
  ON CONFLICT (fleet_id) DO UPDATE SET stores = excluded.stores, passes = excluded.passes, epoch = excluded.epoch
  WHERE fence.epoch <= excluded.epoch`;

const MARK_FENCES = statement('mark-head-fences')`UPDATE log_head SET has_fences = true WHERE NOT has_fences`;

/**
 * Sets a fleet's fence. Every append that commits afterwards obeys the fence.
 *
 * @param pool connections made as the role `milepost_ingest`
 * @throws MoveTakenError when a process with a higher epoch has already set the fence
 */
export async function setFence(pool: Pool, { fleetId, stores, passes, epoch }: Fence): Promise<void> {
  await inTransaction(pool, async (transaction) => {
    await lockHead(transaction);
    if ((await transaction.execute(SET_FENCE, [fleetId, stores, passes, epoch])) === 0) throw new MoveTakenError();
    await transaction.execute(MARK_FENCES);
  });
}
