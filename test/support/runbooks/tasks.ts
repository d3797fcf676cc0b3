import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ROOT } from '../milepost.ts';
import { tripProcessed } from '../records.ts';
import { sendTo, toMessage } from '../topics.ts';
import { commandsOf, type Scenario } from './page.ts';

const TRIPS = 5;
const NO_FAULTS = 'no faults found';
const NEWEST_REPLAY = 'SELECT max(replay_id) FROM replay';
const LIVE_TRIPS = "SELECT generation FROM generation WHERE projection = 'trips' AND live";
const NEWEST_KEY = 'SELECT api_key_id FROM milepost_directory.api_key ORDER BY created_at DESC LIMIT 1';
const ERASE = 'milepost drivers erase --fleet FLEET --driver DRIVER --reason "REASON" --yes';

/** The scenarios for tasks. After the last of them, the deployment has several lanes. */
export const TASKS: Readonly<Record<string, Scenario>> = {
  replay: async (page, world) => {
    await world.newDriver(TRIPS);
    const before = Number(await world.value(LIVE_TRIPS));
    await page.run('milepost replay start all --wait');
    const REPLAY = await world.value(NEWEST_REPLAY);
    expect(await page.run('milepost replay show REPLAY', { REPLAY })).toContain('waiting');
    await page.run('milepost replay promote REPLAY --wait', { REPLAY });
    expect(await page.run('milepost replay show REPLAY', { REPLAY })).toMatch(/Replay \d+ of all projections: live/);
    expect(Number(await world.value(LIVE_TRIPS))).toBeGreaterThan(before);
    expect(await page.run('milepost audit')).toContain(NO_FAULTS);
  },
  'roll-back': async (page, world) => {
    const earlier = await world.value(LIVE_TRIPS);
    await world.processes.run('replay', 'start', 'all', '--promote', '--wait');
    const wrong = await world.value(LIVE_TRIPS);
    // One driver's trips are missing from this table, as if a projection with a bug had built it.
    const driver = await world.newDriver(TRIPS);
    await world.owner.query(`DELETE FROM trips_${wrong} WHERE driver_id = $1`, [driver]);
    expect(await page.run('milepost replay list')).toContain(await world.value(NEWEST_REPLAY));
    await page.run('milepost replay rollback all --wait');
    expect(await world.value(LIVE_TRIPS)).toBe(earlier);
    await world.untilTrips(driver, TRIPS);
    expect(await page.run('milepost status')).toContain('trips');
    expect(await page.run('milepost audit')).toContain(NO_FAULTS);
    await page.run('milepost replay rollback all --wait');
    expect(await world.value(LIVE_TRIPS)).toBe(wrong);
    await world.processes.run('replay', 'rollback', 'all', '--wait');
  },

  erase: async (page, world) => {
    const DRIVER = await world.newDriver(TRIPS);
    const values = { FLEET: 'acme', DRIVER, REASON: 'case 812' };
    const counted = await page.run('milepost drivers preview --fleet FLEET --driver DRIVER', values);
    expect(counted).toMatch(new RegExp(`trips.*${TRIPS}`));
    await world.untilTrips(DRIVER, TRIPS);
    await page.run(ERASE, values);
    const removed = async () => await page.run('milepost drivers erasures');
    await expect.poll(removed).toMatch(/^ *0 +acme +\S+ +removed /m);
    await page.run('milepost sessions list');
    await world.untilTrips(DRIVER, 0);
    const trail = await page.run('milepost operations list');
    expect(trail).toContain('erased-');
    expect(trail).not.toContain(DRIVER);
    expect(await page.run('milepost audit')).toContain(NO_FAULTS);
  },
  'add-partitions': async (page, world) => {
    const TOPIC = world.topics.names.trips;
    const values = { BROKER: world.brokers, TOPIC, PARTITIONS: 4 };
    await page.run('kafka-topics.sh --bootstrap-server BROKER --alter --topic TOPIC --partitions PARTITIONS', values);
    await page.startAnother('milepost ingest', '"metrics":');
    const messages = [{ partition: 3, value: JSON.stringify(tripProcessed()) }];
    await sendTo(world.topics.kafka, { topic: TOPIC, messages });
    await world.untilTrips('driver-1', 1);
    expect(await page.run('milepost status')).toMatch(new RegExp(`${TOPIC} +3 `));
  },
  'fail-over': async (page, world) => {
    const driver = randomUUID();
    const [primary] = world.hosts;
    await primary?.cut();
    await world.publishTrips(driver, TRIPS);
    await world.untilTrips(driver, TRIPS);
    await expect.poll(async () => await world.ask()).toBe(200);
    await page.run('milepost doctor');
    await page.run('milepost status');
    expect(await page.run('milepost audit')).toContain(NO_FAULTS);
    await expect.poll(async () => (await world.metrics('ops')).sum('milepost_up')).toBe(1);
    await primary?.restore();
  },

  upgrade: async (page, world) => {
    const driver = await world.newDriver(TRIPS);
    await world.stop();
    await world.publishTrips(driver, TRIPS);
    await page.run('milepost migrate');
    expect(await page.run('milepost migrate')).not.toMatch(/error/i);
    for (const name of ['ops', 'projector', 'ingest', 'api'] as const) {
      world.running.set(name, page.start(`milepost ${name}`));
    }
    await world.untilTrips(driver, 2 * TRIPS);
    expect(await page.run('milepost status')).not.toContain('milepost replay start');
    const command = 'curl --silent --show-error --fail http://OPS_ADDRESS/readyz';
    expect(await page.run(command, { OPS_ADDRESS: await world.address('ops') })).toContain('"ready"');
  },

  restore: async (page, world) => {
    const documented = commandsOf(page.name)[0] ?? '';
    expect(readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')).toContain(`\`\`\`sh\n${documented}\n`);
    const [driver, erased] = [await world.newDriver(TRIPS), await world.newDriver(TRIPS)];
    await world.processes.run('keys', 'create', '--fleet', 'acme');
    await world.stop();
    await world.copyDatabase('backup');
    await world.start('ops', 'projector', 'ingest', 'api');
    await world.publishTrips(driver, TRIPS);
    await world.untilTrips(driver, 2 * TRIPS);
    const values = { FLEET: 'acme', DRIVER: erased, REASON: 'case 812', KEY: await world.value(NEWEST_KEY) };
    const whom = ['--fleet', 'acme', '--driver', erased];
    await world.processes.run('drivers', 'erase', ...whom, '--reason', values.REASON, '--yes');
    await world.processes.run('keys', 'revoke', values.KEY);

    await world.stop();
    await world.replaceDatabase('backup');
    await world.untilTrips(erased, TRIPS);
    for (const name of ['projector', 'ingest'] as const) world.running.set(name, page.start(`milepost ${name}`));
    await world.untilTrips(driver, 2 * TRIPS);
    await page.run('milepost status');
    expect(await page.run('milepost audit')).toContain(NO_FAULTS);
    await page.run(ERASE, values);
    await world.untilTrips(erased, 0);
    expect(await page.run('milepost keys list')).toContain(values.KEY);
    await page.run('milepost keys revoke KEY', values);
    for (const name of ['api', 'ops'] as const) world.running.set(name, page.start(`milepost ${name}`));
    await expect.poll(async () => await world.ask().catch(() => 0)).toBe(200);
    await world.metrics('ops');
  },

  grow: async (page, world) => {
    const load = { TRIPS: 10_000_000, POINTS: 300, DAYS: 400 };
    const estimate = await page.run('milepost size --trips-per-day TRIPS --points POINTS --days DAYS', load);
    expect(estimate).toContain('lanes');
    await page.run('LANES=NUMBER milepost migrate', { NUMBER: 2 });
    await expect.poll(() => world.value('SELECT count(*) FROM milepost_lane_1.log_source')).not.toBe('0');
    await world.topics.publish([toMessage(tripProcessed({ fleet_id: 'second-fleet' }))]);
    const inLane = 'SELECT count(*) FROM milepost_lane_1.trips';
    await expect.poll(() => world.value(inLane)).toBe('1');
    expect((await page.run('milepost lanes list')).match(/^ *[01]\b/gm)).toHaveLength(2);
    expect(await page.run('milepost fleets list')).toMatch(/second-fleet +1/);
    await page.run('milepost status');
    const laneOf = `SELECT lane FROM milepost_directory.fleet WHERE fleet_id = 'second-fleet'`;
    await page.run('milepost fleets move FLEET LANE', { FLEET: 'second-fleet', LANE: 0 });
    expect(await world.value(laneOf)).toBe('0');
    await page.run('milepost fleets move FLEET FORMER_LANE', { FLEET: 'second-fleet', FORMER_LANE: 1 });
    expect(await world.value(laneOf)).toBe('1');
  },
};
