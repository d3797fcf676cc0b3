import { type Pool, query, queryRow, statement } from '@milepost/postgres';

/** The default for `rangePositions`, which limits how long one statement takes. */
const MAX_RANGE_POSITIONS = 500_000;

/**
 * The sum does not depend on the order of the events, nor on their positions or sources, which differ between the two
 * lanes. The content hash covers the whole record, including its body.
 */
const DIGEST = statement('digest-of-fleet', { stored_events: 'number', digest: 'text' })`
  SELECT count(*) AS stored_events, coalesce(sum(('x' || left(md5(concat_ws('/', kind, trip_id, driver_id, revision,
    effective, encode(content_hash, 'hex'))), 15))::bit(60)::bigint), 0)::text AS digest
  FROM stored_event WHERE fleet_id = $1 AND position > $2 AND position <= $3`;

/** The number of a fleet's stored events up to a position, and a sum of their hashes. */
interface FleetDigest {
  through: number;
  storedEvents: number;
  digest: bigint;
}

export const EMPTY_DIGEST: FleetDigest = { through: 0, storedEvents: 0, digest: 0n };

/**
 * Extends the digest of a fleet up to a later position.
 *
 * @param rangePositions the maximum number of positions that one statement reads
 */
export async function extendDigest(
  pool: Pool,
  fleetId: string,
  start: FleetDigest,
  through: number,
  signal: AbortSignal,
  rangePositions = MAX_RANGE_POSITIONS,
): Promise<FleetDigest> {
  let { through: from, storedEvents, digest } = start;
  while (from < through) {
    signal.throwIfAborted();
    const end = Math.min(from + rangePositions, through);
    const row = await queryRow(pool, DIGEST, [fleetId, from, end]);
    storedEvents += row.stored_events;
    digest += BigInt(row.digest);
    from = end;
  }
  return { through: from, storedEvents, digest };
}

const LIST_SET_ASIDE = statement('set-aside-events-of-fleet', { event: 'text' })`
  SELECT concat_ws('/', kind, trip_id, driver_id, revision) AS event
  FROM set_aside JOIN stored_event USING (position) WHERE fleet_id = $1 ORDER BY event`;

/** Returns whether the same stored events of a fleet are set aside in two lanes. `pools` act as the projector role. */
export async function haveSameSetAside(pools: readonly Pool[], fleetId: string): Promise<boolean> {
  const lists = await Promise.all(pools.map((pool) => query(pool, LIST_SET_ASIDE, [fleetId])));
  return new Set(lists.map((list) => JSON.stringify(list))).size === 1;
}
