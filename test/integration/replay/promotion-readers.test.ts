import { ROLES, SQLSTATES, sqlState } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { dailySummaries, listDrivers, listTrips } from '@milepost/projections/queries';
import { promoteReplay } from '@milepost/replay';
import { beforeEach, expect, it } from 'vitest';
import { perTest } from '../../support/fixtures.ts';
import { projectionNamed } from '../../support/fold.ts';
import { whileLocked } from '../../support/locks.ts';
import { deliverAndProject, openPool } from '../../support/pipeline.ts';
import { describeWithOwnPipeline } from '../../support/pipeline-suites.ts';
import { limitLockWaits, whileReading } from '../../support/readers.ts';
import { DEFAULT_TRIP_START, numberedTrips } from '../../support/records.ts';
import { inSmallChunks, orphanTables, replaysOf } from '../../support/replay.ts';

/**
 * Far longer than a promotion's lock timeout, so that tests do not fail because the machine is busy. `npm run bench
 * promotion` measures the wait.
 */
const MAX_WAIT_MILLISECONDS = 500;
const READERS = 4;
const EXCHANGES = 40;
const TRIPS = 30;
const FLEET = 'acme';
const DRIVER = 'driver-1';
const DAY = new Date(DEFAULT_TRIP_START).toISOString().slice(0, 10);

const all = inSmallChunks(PROJECTIONS, 100);

describeWithOwnPipeline('readers during a promotion', (pipeline) => {
  const readers = perTest(async () => openPool(pipeline.url, ROLES.api, READERS));
  let turn = 0;
  beforeEach(async () => {
    turn = 0;
    await limitLockWaits(readers, MAX_WAIT_MILLISECONDS);
    await deliverAndProject(pipeline, numberedTrips(TRIPS));
  });

  /** Runs the API's own prepared statements in turn. Returns the statements' results as text. */
  async function ask(turn: number): Promise<string> {
    if (turn % 3 === 0) {
      const request = { fleetId: FLEET, driverId: DRIVER, startsFrom: 0, endedBy: Date.now(), page: 1, limit: 100 };
      const page = await listTrips(readers, request);
      if (page?.count !== TRIPS) throw new Error(`The trip list has ${page?.count} trips.`);
      return page.items;
    }
    if (turn % 3 === 1) {
      const { items, count } = await listDrivers(readers, FLEET, { page: 1, limit: 10 });
      if (count !== 1) throw new Error(`The driver list has ${count} drivers.`);
      return items;
    }
    const summaries = await dailySummaries(readers, FLEET, [DRIVER], DAY);
    if (!('items' in summaries)) throw new Error('The driver is not known.');
    return summaries.items;
  }

  const askInTurns = async () => await ask(turn++);

  it("never wait for a promotion that is delayed by another reader's long transaction", async () => {
    const worker = replaysOf(pipeline, all);
    const id = await worker.start({ projection: 'all', promote: true });
    const long = await pipeline.api.connect();
    await long.query('BEGIN');
    await long.query('SELECT FROM weekly_rollups LIMIT 1');
    const steppedBackOften = Promise.withResolvers<void>();
    let stepsBack = 0;
    const { answers } = await whileReading(READERS, askInTurns, async () => {
      const running = worker.run(id, {
        onRetry: (error) => {
          if (sqlState(error) === SQLSTATES.lock_not_available) stepsBack += 1;
          if (stepsBack === 20) steppedBackOften.resolve();
        },
      });
      await steppedBackOften.promise;
      expect((await worker.show(id)).phase).toBe('promoting');
      // A reader that arrives now must not wait either.
      await pipeline.api.query('SELECT FROM weekly_rollups LIMIT 1');
      await long.query('COMMIT');
      await running;
    });
    long.release();
    expect((await worker.show(id)).phase).toBe('promoted');
    expect(answers.length).toBeGreaterThan(20);
    expect(await orphanTables(pipeline)).toEqual([]);
  });

  it("never wait for a promotion that reaches a long transaction's view after its budget has been spent", async () => {
    const drivers = projectionNamed('drivers');
    // After creating the first view, the promotion runs this `PERFORM`, which uses up the whole budget.
    const slow = { ...drivers, view: (table: string) => `SELECT * FROM ${table}; PERFORM pg_sleep(0.05)` };
    const worker = replaysOf(pipeline, [slow, projectionNamed('trips')]);
    const id = await worker.start({ projection: 'all', promote: true });
    const refusals: (string | null)[] = [];
    const promote = async () => await worker.run(id, { onRetry: (error) => refusals.push(sqlState(error)) });
    const read = async () => {
      await expect
        .poll(() => refusals.filter((state) => state === SQLSTATES.lock_not_available).length)
        .toBeGreaterThan(1);
      await pipeline.api.query('SELECT FROM drivers LIMIT 1');
      expect((await worker.show(id)).phase).toBe('promoting');
    };
    await whileLocked(pipeline.api, 'SELECT FROM trips LIMIT 1', read, promote);
    expect((await worker.show(id)).phase).toBe('promoted');
  });

  it(`read only one generation at a time across ${EXCHANGES} promotions and rollbacks`, async () => {
    const worker = replaysOf(pipeline, all);
    const id = await worker.startAndRun({ projection: 'all' });
    // From now on, the rows show which generation they belong to.
    for (const [generation, mark] of [
      [1, 'old'],
      [2, 'new'],
    ]) {
      await pipeline.owner.query(`UPDATE trips_${generation} SET list_entry = '"${mark}"';
        UPDATE drivers_${generation} SET profile = '"${mark}"';
        UPDATE daily_rollups_${generation} SET summary = '"${mark}"'`);
    }
    const { answers } = await whileReading(READERS, askInTurns, async () => {
      for (let exchange = 0; exchange < EXCHANGES; exchange += 1) {
        if (exchange === 0) await promoteReplay(pipeline.operator, id, { acceptDifferences: false });
        const next = exchange === 0 ? id : await worker.startRollBack('all');
        const { phase } = await worker.outcome(next);
        if (phase !== 'promoted') throw new Error(`Exchange ${exchange} is ${phase}.`);
      }
    });
    const mixed = answers.filter((answer) => answer.includes('"old"') === answer.includes('"new"'));
    expect(mixed).toEqual([]);
    for (const mark of ['"old"', '"new"'])
      expect(answers.filter((answer) => answer.includes(mark)).length).toBeGreaterThan(EXCHANGES);
    expect(await pipeline.rows('SELECT FROM generation WHERE live')).toHaveLength(PROJECTIONS.length);
  });
});
