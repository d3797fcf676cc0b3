import { once } from 'node:events';
import { ROLES } from '@milepost/postgres';
import { FleetLanes } from '@milepost/postgres/lanes';
import { addLane, newLane } from '@milepost/postgres/lanes/add-lane';
import { withCurrentLanes } from '@milepost/postgres/lanes/watch';
import { expect, it, onTestFinished } from 'vitest';
import { prepareDatabase } from '../../../apps/cli/prepare-database.ts';
import { groupByLane, NewLaneError, openLanes } from '../../../apps/ingest/lanes.ts';
import { run } from '../../support/command.ts';
import { createTestDatabase } from '../../support/database.ts';
import { perTest, untilTestEnds } from '../../support/fixtures.ts';
import { putOnNode } from '../../support/lane-node.ts';
import { deliver, fillLane, incoming, openDirectory, openPartPool, openPool } from '../../support/pipeline.ts';
import { driverProfile, numberedTrips, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { firstValue, valuesOf } from '../../support/tables.ts';

describeWithPostgres('the lane directory', () => {
  const database = perTest(createTestDatabase);
  const owner = perTest(async () => openDirectory(database.url));

  /** Lanes without stored events. */
  const empty = (...lanes: number[]) => {
    return async () => lanes.map((lane) => ({ lane, storedEvents: 0 }));
  };

  const schemas = async () => await valuesOf(owner, 'SELECT schema FROM lane ORDER BY lane');

  it('migrates the existing lanes, and creates their missing read tables', async () => {
    await prepareDatabase(database.url, { lanes: 3 });
    const one = untilTestEnds(openPartPool(newLane(database.url, 1)));
    const two = untilTestEnds(openPartPool(newLane(database.url, 2)));
    const migrations = async () => await valuesOf(one, 'SELECT number FROM migration ORDER BY number');
    const tables = async () => await valuesOf(two, 'SELECT projection FROM generation WHERE live ORDER BY projection');
    const prepared = [await migrations(), await tables()];
    // Migration 6 only grants rights, so it can be applied again.
    await one.query('DELETE FROM migration WHERE number = 6');
    await two.query("DROP VIEW fleets; DROP TABLE fleets_1; DELETE FROM generation WHERE projection = 'fleets'");
    expect([await migrations(), await tables()]).not.toEqual(prepared);
    await prepareDatabase(database.url);
    expect([await migrations(), await tables()]).toEqual(prepared);
  });

  it('has as many lanes as LANES says after `milepost migrate`, which refuses a smaller number', async () => {
    const settings = { DATABASE_URL: database.url };
    const done = { code: 0, stdout: '', stderr: 'The database is up to date.\n' };
    expect(await run(['migrate'], settings)).toEqual(done);
    expect(await schemas()).toHaveLength(1);
    for (const LANES of ['2', '2', '']) expect(await run(['migrate'], { ...settings, LANES })).toEqual(done);
    expect(await schemas()).toHaveLength(2);
    const fewer = await run(['migrate'], { ...settings, LANES: '1' });
    expect(fewer).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('set LANES to 2 or more') });
    const roles = await run(['migrate', '--print-roles'], { ...settings, LANES: '3' });
    expect(roles).toEqual({ code: 0, stdout: '', stderr: 'All roles and logins exist.\n' });
    expect(await schemas()).toHaveLength(2);
  });

  it('keeps existing fleets in the first lane, projected or not, when lanes are added', async () => {
    await prepareDatabase(database.url);
    await fillLane(database.url, 0, [tripProcessed({ fleet_id: 'projected' })]);
    await deliver(untilTestEnds(openPool(database.url, ROLES.ingest)), [driverProfile({ fleet_id: 'pending' })]);
    await prepareDatabase(database.url, { lanes: 2 });
    const directory = untilTestEnds(openDirectory(database.url, ROLES.ingest));
    const placed = await new FleetLanes(directory, empty(0, 1)).find(new Set(['projected', 'pending', 'new']));
    expect(Object.fromEntries(placed)).toEqual({ projected: 0, pending: 0, new: 1 });
  });

  it('leaves a moved fleet in its lane when more lanes are added', async () => {
    await prepareDatabase(database.url, { lanes: 2 });
    const records = ['moved', 'stayed'].map((fleet_id) => tripProcessed({ fleet_id }));
    await fillLane(database.url, 0, records);
    // The former lane keeps its copy of a moved fleet.
    await owner.query("INSERT INTO fleet (fleet_id, lane) VALUES ('moved', 1), ('stayed', 0)");
    await prepareDatabase(database.url, { lanes: 3 });
    const { rows } = await owner.query('SELECT fleet_id, lane FROM fleet ORDER BY fleet_id');
    expect(rows).toEqual([
      { fleet_id: 'moved', lane: 1 },
      { fleet_id: 'stayed', lane: 0 },
    ]);
  });

  it('does not list a new lane until the existing fleets are placed in the first lane', async () => {
    await prepareDatabase(database.url);
    await deliver(untilTestEnds(openPool(database.url, ROLES.ingest)), [driverProfile({ fleet_id: 'old' })]);
    await owner.query('ALTER TABLE fleet ADD CONSTRAINT no_fleet CHECK (lane <> 0) NOT VALID');
    await expect(prepareDatabase(database.url, { lanes: 2 })).rejects.toThrow('no_fleet');
    expect(await schemas()).toEqual(['milepost']);
    await owner.query('ALTER TABLE fleet DROP CONSTRAINT no_fleet');
    await prepareDatabase(database.url, { lanes: 2 });
    expect(await schemas()).toEqual(['milepost', 'milepost_lane_1']);
    expect((await owner.query('SELECT fleet_id, lane FROM fleet')).rows).toEqual([{ fleet_id: 'old', lane: 0 }]);
  });

  it('places each new fleet once, in a lane with the fewest fleets, even if many processes see it', async () => {
    for (const number of [1, 2, 3]) await addLane(owner, newLane(database.url, number));
    const fleets = Array.from({ length: 40 }, (_, index) => `fleet-${index}`);
    const seen = await Promise.all(
      Array.from({ length: 8 }, async (_, process) => {
        const directory = untilTestEnds(openDirectory(database.url, ROLES.ingest));
        const own = fleets.slice(process * 3).concat(fleets.slice(0, process * 3));
        const found: [string, number][] = [];
        const lanes = new FleetLanes(directory, empty(0, 1, 2, 3));
        for (const fleet of own) found.push(...(await lanes.find(new Set([fleet]))));
        return Object.fromEntries(found.sort(([one], [other]) => one.localeCompare(other)));
      }),
    );
    for (const each of seen) expect(each).toEqual(seen[0]);
    const counts = await valuesOf<number>(owner, 'SELECT count(*)::integer FROM fleet GROUP BY lane ORDER BY lane');
    expect(counts).toHaveLength(4);
    // Processes that count fleets at the same time may choose the same lane.
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(8);
    const more = Array.from({ length: 8 }, (_, index) => `more-${index}`);
    await owner.query(`UPDATE fleet SET placed_at = now() - interval '1 hour'`);
    const added = await new FleetLanes(owner, empty(0, 1)).find(new Set(more));
    expect([...added.values()].sort()).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
  });

  it('places new fleets in the lane with the fewest stored events, and allows for records to come', async () => {
    await prepareDatabase(database.url, { lanes: 3 });
    await owner.query(
      `INSERT INTO fleet (fleet_id, lane, placed_at) SELECT 'old-' || n, (ARRAY[0, 1, 1, 1, 2])[n], now() - interval '1 hour'
       FROM generate_series(1, 5) n`,
    );
    for (const [lane, trips] of [10, 2, 10].entries()) {
      await fillLane(database.url, lane, numberedTrips(trips));
    }
    const { fleets } = await untilTestEnds(openLanes(database.url, 'milepost-test')).read();
    const laneOf = async (fleetId: string) => (await fleets.find(new Set([fleetId]))).get(fleetId);
    expect(await laneOf('new-1')).toBe(1);
    // The average fleet has 4.4 stored events.
    expect(await laneOf('new-2')).toBe(1);
    expect([await laneOf('new-3'), await laneOf('new-4')].sort()).toEqual([0, 2]);
  });

  it('places new fleets in lanes that respond, and places no fleet while none responds', async () => {
    await prepareDatabase(database.url, { lanes: 3 });
    await putOnNode(owner, 1, 1);
    const { fleets } = await untilTestEnds(openLanes(database.url, 'milepost-test')).read();
    const holder = await owner.connect();
    onTestFinished(() => holder.release(true));
    const place = async (...fleetIds: string[]) => [...(await fleets.find(new Set(fleetIds))).values()].sort();
    expect(await place('new-1', 'new-2')).toEqual([0, 2]);
    await holder.query('BEGIN; LOCK TABLE milepost_lane_2.log_head');
    expect(await place('new-3', 'new-4')).toEqual([0, 0]);
    await holder.query('LOCK TABLE milepost.log_head');
    await expect(place('new-5')).rejects.toThrow('did not respond');
  });

  it('does not stop work on lanes while it cannot be read, and restarts the work when it lists a new one', async () => {
    const sessions = async () =>
      Number(await firstValue(owner, 'SELECT sessions FROM pg_stat_database WHERE datname = current_database()'));
    const steps: string[] = [];
    const stop = new AbortController();
    const working = withCurrentLanes(
      { url: database.url, role: ROLES.projector, applicationName: 'milepost-test' },
      { signal: stop.signal, pollMilliseconds: 10 },
      async (lanes, signal) => {
        steps.push(`started with ${lanes.length}`);
        await once(signal, 'abort');
        steps.push('stopped');
      },
    );
    await expect.poll(() => steps).toEqual(['started with 1']);
    // A read that fails for this reason is not repeated before the next poll.
    await owner.query('REVOKE SELECT ON listed_lane FROM milepost_projector');
    const before = await sessions();
    // Each read of the list opens a session. When the third read begins, the second has failed.
    await Promise.race([working, expect.poll(sessions).toBeGreaterThanOrEqual(before + 3)]);
    expect(steps).toEqual(['started with 1']);
    await owner.query('GRANT SELECT ON listed_lane TO milepost_projector');
    await addLane(owner, newLane(database.url, 1));
    await expect.poll(() => steps).toEqual(['started with 1', 'stopped', 'started with 2']);
    stop.abort();
    await working;
    expect(steps.at(-1)).toBe('stopped');
  });

  it('gives no records to the known lanes if one of the records belongs to a lane that is not yet known', async () => {
    await prepareDatabase(database.url, { lanes: 2 });
    const opening = untilTestEnds(openLanes(database.url, 'milepost-test'));
    const before = await opening.read();
    expect(await before.areCurrent()).toBe(true);
    await prepareDatabase(database.url, { lanes: 3 });
    expect(await before.areCurrent()).toBe(false);
    await owner.query("INSERT INTO fleet (fleet_id, lane) VALUES ('known', 1), ('added', 2)");
    const records = ['known', 'added'].map((fleet_id, offset) => incoming(offset, driverProfile({ fleet_id })));
    await expect(groupByLane(before, records)).rejects.toThrow(NewLaneError);
    expect([...(await groupByLane(before, records.slice(0, 1))).keys()]).toEqual([1]);
    expect([...(await groupByLane(await opening.read(), records)).keys()]).toEqual([1, 2]);
  });

  it("keeps at most 100,000 fleets in a process's cache, and finds the others again", async () => {
    await prepareDatabase(database.url, { lanes: 2 });
    await owner.query(
      "INSERT INTO fleet (fleet_id, lane) SELECT 'fleet-' || number, number % 2 FROM generate_series(0, 100000) AS number",
    );
    const lanes = new FleetLanes(untilTestEnds(openDirectory(database.url, ROLES.ingest)), empty(0, 1));
    const find = async (first: number, count: number) =>
      await lanes.find(new Set(Array.from({ length: count }, (_, index) => `fleet-${first + index}`)));
    expect([...(await find(0, 1))]).toEqual([['fleet-0', 0]]);
    await owner.query("UPDATE fleet SET lane = 1 WHERE fleet_id = 'fleet-0'");
    const most = await find(1, 99_999);
    expect([most.size, most.get('fleet-1'), most.get('fleet-99998')]).toEqual([99_999, 1, 0]);
    // The cache contains 100,000 fleets, and still has the first fleet's former lane.
    expect([...(await find(0, 1))]).toEqual([['fleet-0', 0]]);
    expect([...(await find(99_999, 2))]).toEqual([
      ['fleet-99999', 1],
      ['fleet-100000', 0],
    ]);
    expect([...(await find(0, 1))]).toEqual([['fleet-0', 1]]);
  });

  // If a fence refuses a fleet's records in another partition, that partition removes the fleet from the shared cache.
  // Lane 0 has no fence for these records.
  it('stores no record in lane 0 by mistake if its fleet is forgotten while the lane is being looked up', async () => {
    await prepareDatabase(database.url, { lanes: 2 });
    await owner.query("INSERT INTO fleet (fleet_id, lane) VALUES ('moving', 1)");
    const lanes = await untilTestEnds(openLanes(database.url, 'milepost-test')).read();
    const lanesOf = async (...fleetIds: string[]) => {
      await lanes.fleets.find(new Set(['moving']));
      const records = fleetIds.map((fleet_id, offset) => incoming(offset, driverProfile({ fleet_id })));
      const grouping = groupByLane(lanes, records);
      lanes.fleets.forget(['moving']);
      return [...(await grouping)].map(([lane, group]) => [lane, group.map(({ offset }) => offset)]);
    };
    expect(await lanesOf('moving')).toEqual([[1, [0]]]);
    expect(await lanesOf('moving', 'new')).toEqual([
      [1, [0]],
      [0, [1]],
    ]);
  });
});
