import { directoryAt, type LoginPasswords, type Pool, query, ROLES, statement, text } from '@milepost/postgres';
import { addFleets, addLane, FIRST_LANE, type Lane, listLanes, locateLane, newLane } from '@milepost/postgres/lanes';
import { PROJECTIONS } from '@milepost/projections';
import { prepareGenerations } from '@milepost/projections/engine';
import { type Attempts, migratePart, withPoolAt } from './database.ts';
import { UsageError } from './failure.ts';

/** One statement reads the table and the log in the same snapshot, so that the result contains all fleets. */
const LIST_FLEETS = statement('list-fleets-of-log', { fleet_id: text })`
  SELECT fleet_id FROM fleets
  UNION SELECT fleet_id FROM stored_event
    WHERE position > (SELECT checkpoint FROM generation WHERE projection = 'fleets' AND live)`;

async function listFleets(lane: Pool): Promise<string[]> {
  return (await query(lane, LIST_FLEETS)).map(({ fleet_id }) => fleet_id);
}

/**
 * Migrates the existing lanes other than the first, and creates any missing lanes.
 *
 * @param first the first lane, already migrated
 * @param wanted the number of lanes; undefined means as many as exist
 * @throws UsageError when more lanes exist than are wanted
 */
export async function prepareLanes(
  first: Lane,
  wanted: number | undefined,
  passwords: LoginPasswords,
  attempts: Attempts,
): Promise<void> {
  const { url } = first;
  const lanes = await withPoolAt(directoryAt(url), undefined, (directory) => listLanes(directory, url), attempts);
  if (wanted !== undefined && wanted < lanes.length) {
    throw new UsageError(
      `LANES is ${wanted}, but the database has ${lanes.length} lanes: a lane cannot be removed, so set LANES to ${lanes.length} or more.`,
    );
  }
  const planned = Array.from({ length: (wanted ?? 0) - lanes.length }, (_, index) =>
    newLane(url, lanes.length + index),
  );
  const added = await withPoolAt(
    directoryAt(url),
    undefined,
    (directory) => Promise.all(planned.map((lane) => locateLane(directory, lane))),
    attempts,
  );
  for (const lane of [...lanes.slice(1), ...added]) {
    await migratePart(lane, passwords, attempts);
    await withPoolAt(lane, ROLES.projector, (pool) => prepareGenerations(pool, PROJECTIONS), attempts);
  }
  if (added.length === 0) return;
  // Read the fleets before listing a new lane: those that an earlier release stored must stay in the first lane.
  const fleets = await withPoolAt(first, undefined, listFleets, attempts);
  await withPoolAt(
    directoryAt(url),
    undefined,
    async (directory) => {
      await addFleets(directory, fleets, FIRST_LANE);
      for (const lane of added) await addLane(directory, lane);
    },
    attempts,
  );
}
