import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { expectSuccess, milepost } from '../support/milepost.ts';
import { needsKafkaJars } from '../support/own-broker-suite.ts';
import { toNdjson, tripProcessed } from '../support/records.ts';
import { Page } from '../support/runbooks/page.ts';
import { openRunbooks } from '../support/runbooks/world.ts';
import { describeWithKafka } from '../support/service-suites.ts';
import { UpHome } from '../support/up-home.ts';

const TRIPS = 5;
const TIMEOUT_MILLISECONDS = 600_000;
const SIZE = 'npx milepost size --trips-per-day 1000000 --points 300 --days 400 --peak 4';
const PROCESSES = ['ops', 'projector', 'ingest', 'api'] as const;
const LANE_OF_FLEET = "SELECT lane FROM milepost_directory.fleet WHERE fleet_id = 'acme'";

describeWithKafka('the commands of docs/scale.md', (brokers) => {
  const home = new UpHome();

  it('grow from one machine to a server, to several processes and to several lanes, and keep all trips', {
    ...needsKafkaJars,
    timeout: TIMEOUT_MILLISECONDS,
  }, async () => {
    const world = await openRunbooks(brokers);
    const page = new Page('../scale', world);
    expect(await page.run(SIZE)).toMatch(/lanes +1\b/);

    const machine = await home.start(milepost(['up']), { SAMPLE_FLEET: 'off' });
    const trips = Array.from({ length: TRIPS }, () => {
      const id = randomUUID();
      return tripProcessed({ driver_id: 'first', source_trip_id: id, tracking_id: id });
    });
    expectSuccess(await run(['ingest', '-'], home.settings, toNdjson(trips)));
    const values = { ARCHIVE: join(home.path, 'log.ndjson.zst'), FLEET: 'acme', LANE: 1 };
    const environment = { ...home.settings, PATH: world.environment['PATH'] ?? '' };
    await page.run('milepost archive export ARCHIVE', values, 0, environment);
    machine.child.kill('SIGINT');
    await machine.ended;

    await world.stop();
    await page.run('milepost migrate');
    await page.run('milepost ingest ARCHIVE', values);
    for (const name of PROCESSES) world.running.set(name, page.start(`milepost ${name}`));
    await world.untilTrips('first', TRIPS);
    await world.publishTrips('second', TRIPS);
    await world.untilTrips('second', TRIPS);

    const added = (['ingest', 'api', 'projector'] as const).map(
      (name) => [name, page.start(`milepost ${name}`)] as const,
    );
    for (const [name, process] of added) {
      await expect.poll(process.output).toContain('"metrics":');
      await world.stop(name);
      world.running.set(name, process);
    }
    await world.publishTrips('third', TRIPS);
    await world.untilTrips('third', TRIPS);

    await page.run('LANES=4 milepost migrate');
    expect((await page.run('milepost lanes list')).match(/^ *[0-3]\b/gm)).toHaveLength(4);
    await expect.poll(() => world.value('SELECT count(*) FROM milepost_lane_1.log_source')).not.toBe('0');
    expect(await world.value(LANE_OF_FLEET)).toBe('0');
    await page.run('milepost fleets move FLEET LANE', values);
    expect(await page.run('milepost fleets list')).toMatch(/acme +1/);
    expect(await world.value(LANE_OF_FLEET)).toBe('1');
    expect(await world.value('SELECT count(*) FROM milepost_lane_1.trips')).toBe(String(3 * TRIPS));
    await expect.poll(async () => await world.ask()).toBe(200);
    expect(page.unused).toEqual([]);
  });
});
