import { directoryAt, type LoginPasswords, laneAt, ROLES } from '@milepost/postgres';
import { FIRST_LANE } from '@milepost/postgres/lanes';
import { PROJECTIONS } from '@milepost/projections';
import { prepareGenerations } from '@milepost/projections/engine';
import { type Attempts, migratePart, once, withPoolAt } from './database.ts';
import { prepareLanes } from './prepare-lanes.ts';

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
 * read tables. It migrates each part in separate transactions, beginning with the first lane, so it can be repeated.
 *
 * @param url a login that owns the database and may create roles
 */
export async function prepareDatabase(
  url: string,
  { passwords = {}, lanes, attempts = once }: PrepareOptions = {},
): Promise<void> {
  const lane = { ...laneAt(url), number: FIRST_LANE };
  for (const part of [lane, directoryAt(url)]) await migratePart(part, passwords, attempts);
  await withPoolAt(lane, ROLES.projector, (pool) => prepareGenerations(pool, PROJECTIONS), attempts);
  await prepareLanes(lane, lanes, passwords, attempts);
}
