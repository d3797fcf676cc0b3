import type { Pool } from '@milepost/postgres';
import type { IngestLanes } from '../../apps/ingest/lanes.ts';

/** One lane, which has every fleet. */
export function onlyLane(pool: Pool): IngestLanes {
  const fleets = { find: async () => new Map(), forget: () => {} };
  return { pools: new Map([[0, pool]]), fleets, areCurrent: async () => true };
}
