import { directoryAt, laneAt, type Part, type Pool, query, ROLES, statement } from '@milepost/postgres';
import { FIRST_LANE, type Lane, listLanes } from '@milepost/postgres/lanes';
import { addLane, locateLane, newLane } from '@milepost/postgres/lanes/add-lane';
import { addFleets } from '@milepost/postgres/lanes/fleet-homes';
import type { LoginPasswords } from '@milepost/postgres/logins';
import { MigrationRefusedError, migrate, RolesRefusedError } from '@milepost/postgres/migrations';
import { PROJECTIONS } from '@milepost/projections';
import { prepareGenerations } from '@milepost/projections/engine';
import { type Attempts, databaseError, once, withPoolAt } from './database.ts';
import { UsageError } from './failure.ts';

/** One statement reads the table and the log in the same snapshot, so that the result contains all fleets. */
const LIST_FLEETS = statement('list-fleets-of-log', { fleet_id: 'text' })`
  SELECT fleet_id FROM fleets
  UNION SELECT fleet_id FROM stored_event
    WHERE position > (SELECT checkpoint FROM generation WHERE projection = 'fleets' AND live)`;

/** Lists the lanes of a database, and those that it lacks. Throws UsageError when more exist than are wanted. */
async function planLanes(directory: Pool, url: string, wanted: number | undefined) {
  const lanes = await listLanes(directory);
  if (wanted !== undefined && wanted < lanes.length) {
    throw new UsageError(
      `LANES is ${wanted}, but the database has ${lanes.length} lanes: a lane cannot be removed, so set LANES to ${lanes.length} or more.`,
    );
  }
  const missing = Array.from({ length: (wanted ?? 0) - lanes.length }, (_, index) =>
    newLane(url, lanes.length + index),
  );
  return { lanes, added: await Promise.all(missing.map((lane) => locateLane(directory, lane))) };
}

/** Errors that need not name the database's address. */
const REFUSALS = [MigrationRefusedError, RolesRefusedError, RangeError];

async function migratePart(part: Part, passwords: LoginPasswords, attempts: Attempts): Promise<void> {
  await attempts(() => migrate(part, passwords)).catch((error: unknown) => {
    throw REFUSALS.some((refusal) => error instanceof refusal) ? error : databaseError(error, part.url);
  });
}

interface PrepareOptions {
  /** The logins to create. */
  passwords?: LoginPasswords;
  /** The number of lanes. The default is the number of existing lanes, or one in a new database. */
  lanes?: number | undefined;
  /** Runs each step, and may repeat it. By default, each step runs once. */
  attempts?: Attempts;
}

/**
 * Migrates the lanes and the directory to this release, and creates the processes' logins and any missing lanes and
 * read tables. Each part is migrated in transactions of its own, beginning with the first lane, so the function can be
 * repeated.
 *
 * @param url a login that owns the database and may create roles
 * @throws DatabaseError, MigrationRefusedError, RolesRefusedError or DatabaseUnusableError; UsageError if the database
 *   has more lanes than are wanted
 */
export async function prepareDatabase(
  url: string,
  { passwords = {}, lanes: wanted, attempts = once }: PrepareOptions = {},
): Promise<void> {
  const first = { ...laneAt(url), number: FIRST_LANE };
  const inDirectory = async <Result>(work: (directory: Pool) => Promise<Result>) =>
    await withPoolAt(directoryAt(url), undefined, work, attempts);
  const createReadTables = async (lane: Lane) =>
    await withPoolAt(lane, ROLES.projector, (pool) => prepareGenerations(pool, PROJECTIONS), attempts);
  for (const part of [first, directoryAt(url)]) await migratePart(part, passwords, attempts);
  await createReadTables(first);
  const { lanes, added } = await inDirectory((directory) => planLanes(directory, url, wanted));
  for (const lane of [...lanes.slice(1), ...added]) {
    await migratePart(lane, passwords, attempts);
    await createReadTables(lane);
  }
  if (added.length === 0) return;
  // Read the fleets before a new lane is listed. The fleets that an earlier release stored must stay in the first lane.
  const listed = await withPoolAt(first, undefined, (lane) => query(lane, LIST_FLEETS), attempts);
  const fleets = listed.map(({ fleet_id }) => fleet_id);
  await inDirectory(async (directory) => {
    await addFleets(directory, fleets, FIRST_LANE);
    for (const lane of added) await addLane(directory, lane);
  });
}
