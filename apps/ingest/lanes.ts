import { readHeadPosition } from '@milepost/event-log/head';
import { fleetOf, type IncomingRecord } from '@milepost/event-log/prepare';
import { createPool, directoryAt, type Pool, ROLES, ServerPools } from '@milepost/postgres';
import { FIRST_LANE, FleetLanes, inEachLane, type LaneLoad, LanePools } from '@milepost/postgres/lanes';

/** The lanes in which this process stores records, and the list of fleets with their lanes. */
export interface IngestLanes {
  /** Pools whose connections use the role `milepost_ingest`, by lane number. */
  pools: ReadonlyMap<number, Pool>;
  fleets: Pick<FleetLanes, 'find' | 'forget'>;
  /** Checks whether the list of lanes is still complete. */
  areCurrent: () => Promise<boolean>;
}

/** Returns a lane's pool, for storing a record or a claim. */
export function poolOf({ pools }: IngestLanes, lane: number): Pool {
  const pool = pools.get(lane);
  if (!pool) throw new Error(`There is no lane ${lane}.`);
  return pool;
}

/** A lane was created after this process had read the list of lanes, so it must read the list again. */
export class NewLaneError extends Error {
  override name = 'NewLaneError';
}

/**
 * Returns the records for each lane, in order. A record that does not name exactly one fleet belongs to the first lane.
 *
 * @throws NewLaneError when the process has no pool for a lane
 */
export async function groupByLane(
  { pools, fleets }: IngestLanes,
  records: readonly IncomingRecord[],
): Promise<ReadonlyMap<number, IncomingRecord[]>> {
  const named = records.map(({ prepared }) => fleetOf(prepared));
  const lanes = await fleets.find(new Set(named.filter((fleetId) => fleetId !== null)));
  return Map.groupBy(records, (_, index) => {
    const fleetId = named[index] ?? null;
    const lane = fleetId === null ? FIRST_LANE : lanes.get(fleetId);
    if (lane === undefined) throw new Error(`The lane of fleet ${fleetId} was not found.`);
    if (!pools.has(lane)) throw new NewLaneError(`Fleet ${fleetId} is in lane ${lane}, a new lane.`);
    return lane;
  });
}

/**
 * The maximum number of connections to each server. One connection is enough for appends, which run one after another
 * in a lane. The other connections are for claims, because a new assignment claims several partitions.
 */
const CONNECTIONS = 4;
/** The maximum time that a claim waits for a connection. Claims in many lanes share a few connections. */
const WAIT_MILLISECONDS = 60_000;
/** A slower batch is rolled back and retried, so that it does not hold the lock on the head of the log for too long. */
const STATEMENT_TIMEOUT_MILLISECONDS = 60_000;

/** New fleets are not placed in a lane that does not respond within this time. */
const MAX_LOAD_MILLISECONDS = 2_000;

/** Returns the lanes that respond, with the number of stored events in each. Throws an error if no lane responds. */
async function readLoads(pools: ReadonlyMap<number, Pool>): Promise<LaneLoad[]> {
  const { results, failures } = await inEachLane([...pools], MAX_LOAD_MILLISECONDS, async ([lane, pool]) => ({
    lane,
    storedEvents: await readHeadPosition(pool),
  }));
  if (results.length === 0) throw failures[0]?.error;
  return results;
}

/** Opens a database's lanes for storing records. */
export function openLanes(url: string, applicationName: string) {
  const settings = {
    role: ROLES.ingest,
    applicationName,
    statementTimeoutMilliseconds: STATEMENT_TIMEOUT_MILLISECONDS,
  };
  const servers = new ServerPools({
    ...settings,
    connections: CONNECTIONS,
    acquireTimeoutMilliseconds: WAIT_MILLISECONDS,
  });
  const directory = createPool({ ...settings, part: directoryAt(url), connections: 1 });
  const pools = new LanePools(directory, (lane) => servers.open(lane));
  return {
    /** The pool of lane 0. */
    first: pools.first,
    /** The open pools, by group. */
    pools: () => ({ lanes: pools.all, directory: [directory] }),
    /** Reads the list of lanes. */
    async read(): Promise<IngestLanes> {
      await pools.refresh();
      const lanes = new Map(pools.numbers.map((lane) => [lane, pools.of(lane)]));
      return {
        pools: lanes,
        fleets: new FleetLanes(directory, async () => await readLoads(lanes)),
        async areCurrent() {
          await pools.refresh();
          return pools.numbers.length === lanes.size;
        },
      };
    },
    async end() {
      await Promise.all([pools.end(), directory.end()]);
    },
  };
}
