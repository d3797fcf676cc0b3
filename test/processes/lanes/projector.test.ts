import { laneAt, ROLES } from '@milepost/postgres';
import { newLane } from '@milepost/postgres/lanes/add-lane';
import { expect, it } from 'vitest';
import { prepareDatabase } from '../../../apps/cli/prepare-database.ts';
import { perTest, untilTestEnds } from '../../support/fixtures.ts';
import { putOnNode } from '../../support/lane-node.ts';
import { createLaneDatabase } from '../../support/lane-world.ts';
import { metricsUrl, scrape } from '../../support/metrics.ts';
import { deliver, openDirectory, openPartPool, openPool } from '../../support/pipeline.ts';
import { Processes } from '../../support/processes.ts';
import { driverProfile } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { firstValue } from '../../support/tables.ts';
import { startProxyTo } from '../../support/tcp-proxy.ts';

const LANES = 3;

describeWithPostgres('the projector on several lanes', () => {
  const database = perTest(() => createLaneDatabase(LANES));
  const processes = perTest(async () => new Processes({ DATABASE_URL: database.url, METRICS_PORT: '0' }));

  /** Returns functions that store a profile in a lane, and that read the position up to which the lane is applied. */
  function laneOf(number: number) {
    const lane = number === 0 ? laneAt(database.url) : newLane(database.url, number);
    const [ingest, owner] = [untilTestEnds(openPartPool(lane, ROLES.ingest)), untilTestEnds(openPartPool(lane))];
    return {
      store: async (driver_id: string) => (await deliver(ingest, [driverProfile({ driver_id })])).headPosition,
      applied: async () => await firstValue<number>(owner, 'SELECT min(checkpoint) FROM generation'),
    };
  }

  it('applies every lane, and is notified of all appends over one connection', async () => {
    const running = processes.start('projector');
    const lanes = [0, 1, 2].map(laneOf);
    const storeInEach = async (driver: string) => {
      for (const { store, applied } of lanes) await expect.poll(applied).toBe(await store(driver));
    };
    await storeInEach('first');
    const started = performance.now();
    await storeInEach('second');
    // Each lane polls every six seconds, so without notifications a lane would take three seconds on average.
    expect(performance.now() - started).toBeLessThan(LANES * 1_500);
    const { rows } = await untilTestEnds(openPool(database.url)).query(
      `SELECT count(*), count(*) FILTER (WHERE query LIKE 'LISTEN %') AS listening
       FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'milepost-projector'`,
    );
    expect(rows[0].listening).toBe(1);
    expect(rows[0].count).toBeLessThanOrEqual(3);
    expect(await running.stop()).toBe(0);
  });

  it('applies a lane that is added while it is running', async () => {
    const running = processes.start('projector');
    const one = laneOf(1);
    await expect.poll(one.applied).toBe(await one.store('first'));
    await prepareDatabase(database.url, { lanes: LANES + 1 });
    const added = laneOf(LANES);
    await expect.poll(added.applied).toBe(await added.store('first'));
    await expect.poll(one.applied).toBe(await one.store('second'));
    expect(await running.stop()).toBe(0);
  });

  it("continues in the other lanes while one lane's server is unavailable, and afterwards in that lane", async () => {
    const proxy = await startProxyTo(database.url);
    await putOnNode(untilTestEnds(openDirectory(database.url)), 1, proxy.port);
    const running = processes.start('projector');
    const [zero, one] = [laneOf(0), laneOf(1)];
    await expect.poll(one.applied).toBe(await one.store('before'));
    await proxy.cut();
    const missing = await one.store('during');
    for (let record = 0; record < 5; record += 1) {
      await expect.poll(zero.applied, { timeout: 9_000 }).toBe(await zero.store(`during-${record}`));
    }
    expect(await one.applied()).toBeLessThan(missing);
    const figures = await scrape(await metricsUrl(running));
    expect(figures.sum('milepost_projector_lag_events', { lane: 0 })).toBe(0);
    expect(figures.series('milepost_projector_lag_events', { lane: 1 })).toEqual([]);
    await proxy.restore();
    await expect.poll(one.applied).toBe(missing);
    await processes.end();
    await proxy.cut();
  });

  it('continues in the other lanes while one lane has a permanent fault', async () => {
    await untilTestEnds(openPartPool(newLane(database.url, 1))).query('DROP TABLE log_head CASCADE');
    processes.start('projector');
    for (const { store, applied } of [laneOf(0), laneOf(2)]) await expect.poll(applied).toBe(await store('first'));
  });
});
