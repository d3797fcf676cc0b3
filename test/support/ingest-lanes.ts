import type { Pool } from '@milepost/postgres';
import type { IngestLanes } from '../../apps/ingest/lanes.ts';

/** Returns a set of lanes with only one lane, to which every fleet belongs. */
export function onlyLane(pool: Pool): IngestLanes {
  const find = async (fleetIds: ReadonlySet<string>) => new Map([...fleetIds].map((fleetId) => [fleetId, 0]));
  return { pools: new Map([[0, pool]]), fleets: { find, forget: () => {} }, areCurrent: async () => true };
}
