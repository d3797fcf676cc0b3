import { type Pool, ROLES } from '@milepost/postgres';
import { addLane, listLanes, newLane } from '@milepost/postgres/lanes';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { prepareDatabase } from '../../../apps/cli/prepare-database.ts';
import { placeFleets } from '../../../packages/postgres/lanes/fleets.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { deliver, openDirectory, openPartPool, openPool, projectAll } from '../../support/pipeline.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('the directory of lanes', () => {
  let database: TestDatabase;
  const pools: Pool[] = [];
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.end()));
    await database.drop();
  });

  function opened(pool: Pool): Pool {
    pools.push(pool);
    return pool;
  }
  const schemas = async () =>
    (await listLanes(opened(openDirectory(database.url)), database.url)).map(({ schema }) => schema);

  it('lists one lane, and creates those that LANES adds with all their tables', async () => {
    expect(await schemas()).toEqual(['milepost']);
    await prepareDatabase(database.url, { lanes: 3 });
    const all = ['milepost', 'milepost_lane_1', 'milepost_lane_2'];
    expect(await schemas()).toEqual(all);
    const projector = opened(openPartPool(newLane(database.url, 2), ROLES.projector));
    expect((await projector.query('SELECT count(*) FROM generation WHERE live')).rows).toEqual([{ count: 5 }]);
    await prepareDatabase(database.url);
    expect(await schemas()).toEqual(all);
  });

  it('refuses fewer lanes than there are, and changes nothing', async () => {
    await prepareDatabase(database.url, { lanes: 3 });
    await expect(prepareDatabase(database.url, { lanes: 2 })).rejects.toThrow(
      'LANES is 2, and the database has 3 lanes: a lane cannot be removed, so set LANES to 3 or more.',
    );
    expect(await schemas()).toHaveLength(3);
  });

  it('keeps in the first lane the fleets that it has, projected or not, when lanes are added', async () => {
    await prepareDatabase(database.url);
    const [ingest, projector] = [ROLES.ingest, ROLES.projector].map((role) => opened(openPool(database.url, role)));
    if (!ingest || !projector) throw new Error('There are two pools.');
    await deliver(ingest, [tripProcessed({ fleet_id: 'projected' })]);
    await projectAll({ projector });
    await deliver(ingest, [driverProfile({ fleet_id: 'pending' })]);
    await prepareDatabase(database.url, { lanes: 2 });
    const directory = opened(openDirectory(database.url, ROLES.ingest));
    const placed = await placeFleets(directory, ['projected', 'pending', 'new'], [0, 1]);
    expect(Object.fromEntries(placed)).toEqual({ projected: 0, pending: 0, new: 1 });
  });

  it('places each new fleet once, however many processes see it at the same time, in the lanes with the fewest', async () => {
    const owner = opened(openDirectory(database.url));
    for (const number of [1, 2, 3]) await addLane(owner, newLane(database.url, number));
    const fleets = Array.from({ length: 40 }, (_, index) => `fleet-${index}`);
    const seen = await Promise.all(
      Array.from({ length: 8 }, async (_, process) => {
        const directory = opened(openDirectory(database.url, ROLES.ingest));
        const own = fleets.slice(process * 3).concat(fleets.slice(0, process * 3));
        const found: [string, number][] = [];
        for (const fleet of own) found.push(...(await placeFleets(directory, [fleet], [0, 1, 2, 3])));
        return Object.fromEntries(found.sort(([one], [other]) => one.localeCompare(other)));
      }),
    );
    for (const each of seen) expect(each).toEqual(seen[0]);
    const { rows } = await owner.query('SELECT count(*) FROM fleet GROUP BY lane ORDER BY lane');
    const counts = rows.map(({ count }) => Number(count));
    expect(counts).toHaveLength(4);
    // Processes that count at the same time may choose the same lane.
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(8);
    const more = Array.from({ length: 8 }, (_, index) => `more-${index}`);
    const added = await placeFleets(owner, more, [0, 1]);
    expect([...added.values()].sort()).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
  });
});
