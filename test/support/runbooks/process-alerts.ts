import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { generateApiKey } from '@milepost/domain/api-key';
import { ROLES } from '@milepost/postgres';
import { expect } from 'vitest';
import { driverProfile } from '../records.ts';
import { toMessage } from '../topics.ts';
import type { Page, Scenario } from './page.ts';
import type { RunbookWorld } from './world.ts';

const METRICS = 'curl --silent --show-error http://ADDRESS/metrics';
const REQUESTS = 'milepost_http_request_duration_seconds';
const REFUSED = 'milepost_http_requests_refused_total';
const SUSPENDED_MILLISECONDS = 500;
const RUNNING_MILLISECONDS = 100;
const MANY_RECORDS = 10_001;

/** A session that holds locks in a transaction. */
type Blocker = Awaited<ReturnType<RunbookWorld['block']>>;

/** Runs the commands that show which session the others are waiting for, and that cancel its statement. */
async function cancelBlocker(page: Page, world: RunbookWorld, { pid, cancelled }: Blocker): Promise<void> {
  const waiting = `SELECT count(*) > 0 FROM pg_stat_activity WHERE ${pid} = ANY (pg_blocking_pids(pid))`;
  await expect.poll(() => world.value(waiting)).toBe('true');
  // The list shows the blocker, which is running a statement, and the session that waits for it.
  const listed = await page.run('milepost sessions list');
  expect(listed).toMatch(new RegExp(`^ *${pid} .* active `, 'm'));
  expect(listed).toMatch(new RegExp(` active +\\[(?:\\d+,)*${pid}\\b`));
  await page.run('milepost sessions cancel PID', { PID: pid });
  await cancelled;
}

/** The scenarios for alerts about processes. */
export const PROCESS_ALERTS: Readonly<Record<string, Scenario>> = {
  'api-errors': async (page, world) => {
    const driver = randomUUID();
    const ids = await world.publishTrips(driver, 1);
    await world.untilTrips(driver, 1);
    const path = `/api/v1/trip/tracking_id/${ids[0]}`;
    expect(await world.ask(path)).toBe(200);
    const trip = `(SELECT trip_id FROM trips WHERE driver_id = '${driver}')`;
    const TRIP = await world.value(`SELECT replace(${trip}::text, '-', '')`);
    const position = await world.value(`SELECT max(position) FROM stored_event WHERE trip_id = ${trip}`);
    await world.owner.query(
      `UPDATE trip_body SET trail_path = set_bit(trail_path, 9, 1 - get_bit(trail_path, 9)) WHERE position = ${position}`,
    );
    expect(await world.ask(path)).toBe(500);
    await page.untilMetric('api', `${REQUESTS}_count`, (value) => value > 0, { status: '500' });
    const failing = `${METRICS} | grep '${REQUESTS}_count.*status="5'`;
    expect(await page.run(failing, { ADDRESS: await world.address('api') })).toContain('/api/v1/trip/tracking_id');
    expect(await page.run('milepost trace trip TRIP', { TRIP })).toContain(world.topics.names.trips);
    await world.publishTrips(driver, 1, 2, ids);
    await expect.poll(async () => await world.ask(path)).toBe(200);
  },
  'api-overloaded': async (page, world) => {
    const blocker = await world.block('projector', ROLES.projector, 'LOCK TABLE drivers IN ACCESS EXCLUSIVE MODE');
    const end = world.load(15);
    await page.untilMetric('api', REFUSED, (value) => value > 0);
    const ADDRESS = await world.address('api');
    expect(await page.run(`${METRICS} | grep milepost_http_requests_`, { ADDRESS })).toContain(REFUSED);
    await cancelBlocker(page, world, blocker);
    await end();
    const refused = (await world.metrics('api')).sum(REFUSED);
    const key = await page.run('milepost keys create --fleet FLEET --rate-limit-per-minute 600', { FLEET: 'acme' });
    expect(await world.ask('/api/v1/drivers', key.split('\n')[0])).toBe(200);
    await page.startAnother('milepost api', '"address":');
    expect((await world.metrics('api')).sum(REFUSED)).toBe(refused);
    expect(await page.run('milepost keys list')).toContain('acme');
    const KEY = await world.value('SELECT api_key_id FROM milepost_directory.api_key ORDER BY created_at DESC LIMIT 1');
    await page.run('milepost keys revoke KEY', { KEY });
  },
  'api-slow': async (page, world) => {
    const blocker = await world.block('projector', ROLES.projector, 'LOCK TABLE drivers IN ACCESS EXCLUSIVE MODE');
    const slow = Promise.all(Array.from({ length: 5 }, () => world.ask()));
    await cancelBlocker(page, world, blocker);
    await slow;
    const above = async () => {
      const figures = await world.metrics('api');
      const fast = figures.sum(`${REQUESTS}_bucket`, { le: '0.5' }) ?? 0;
      return (figures.sum(`${REQUESTS}_count`) ?? 0) - fast;
    };
    expect(await above()).toBeGreaterThan(0);
    await page.untilMetric('api', `${REQUESTS}_bucket`, (value) => value > 0, { le: '0.5' });
    await page.startAnother('milepost api', '"address":');
    const slowRequests = async () => {
      const before = await above();
      expect(await world.ask()).toBe(200);
      return (await above()) - before;
    };
    // On a busy machine, requests may be slow even without a fault.
    await expect.poll(slowRequests).toBe(0);
  },
  'connections-exhausted': async (page, world) => {
    const waiting = 'milepost_database_callers_waiting';
    // Without this grant, only the owner can take the lock.
    await world.owner.query(`GRANT TRUNCATE ON milepost_directory.api_key TO ${ROLES.operator}`);
    const lock = 'LOCK TABLE milepost_directory.api_key IN ACCESS EXCLUSIVE MODE';
    const blocker = await world.block('ops', ROLES.operator, lock);
    // The process checks a known key in its memory, but needs a connection to check an unknown key.
    const end = world.load(8, generateApiKey);
    await page.untilMetric('api', waiting, (value) => value > 0);
    await cancelBlocker(page, world, blocker);
    await end();
    await page.untilMetric('api', waiting, (value) => value === 0);
  },
  'event-loop-delayed': async (page, world) => {
    const metric = 'nodejs_eventloop_lag_p99_seconds';
    const { child } = world.process('api');
    let isOver = false;
    const suspending = (async () => {
      while (!isOver) {
        child.kill('SIGSTOP');
        await delay(SUSPENDED_MILLISECONDS);
        child.kill('SIGCONT');
        await delay(RUNNING_MILLISECONDS);
      }
    })();
    await page.untilMetric('api', metric, (value) => value > 0.2).finally(() => (isOver = true));
    await suspending;
    const command = `${METRICS} | grep -E '^(${metric}|process_cpu_seconds_total)'`;
    expect(await page.run(command, { ADDRESS: await world.address('api') })).toContain(metric);
    await page.startAnother('milepost api', '"address":');
    await page.untilMetric('api', metric, (value) => value < 0.2);
  },
  'ingest-late': async (page, world) => {
    const metric = 'milepost_ingest_lag_records';
    const blocker = await world.block('ingest', ROLES.ingest, 'SELECT FROM log_head FOR UPDATE');
    await world.topics.publish(Array.from({ length: MANY_RECORDS }, () => toMessage(driverProfile())));
    const labels = { topic: world.topics.names.drivers };
    await page.untilMetric('ingest', metric, (lag) => lag >= MANY_RECORDS, labels);
    const ADDRESS = await world.address('ingest');
    expect(await page.run(`${METRICS} | grep milepost_ingest_step_duration_seconds_sum`, { ADDRESS })).toContain(
      'encode',
    );
    await cancelBlocker(page, world, blocker);
    expect(await page.run('milepost status')).toContain(labels.topic);
    await page.run('milepost fleets list');
    await page.untilMetric('ingest', metric, (lag) => lag === 0, labels);
    await page.startAnother('milepost ingest', '"metrics":');
  },
  'rebalances-often': async (page, world) => {
    const metric = 'milepost_ingest_rebalances_total';
    const rebalances = async () => (await world.metrics('ingest')).sum(metric) ?? 0;
    const before = await rebalances();
    const another = world.processes.start('ingest');
    await page.untilMetric('ingest', metric, (value) => value > before);
    const values = { ADDRESS: await world.address('ingest'), BROKER: world.brokers, GROUP: world.topics.groupId };
    expect(await page.run(`${METRICS} | grep -E '^(process_start_time_seconds|${metric})'`, values)).toContain(metric);
    await another.stop();
    await page.untilMetric('ingest', metric, (value) => value > before + 1);
    const members = 'kafka-consumer-groups.sh --bootstrap-server BROKER --describe --members --group GROUP';
    const after = await rebalances();
    expect((await page.run(members, values)).match(/milepost/g)?.length).toBeGreaterThan(0);
    expect(await rebalances()).toBe(after);
  },
  'process-down': async (page, world) => {
    await world.process('projector').kill();
    await expect(world.metrics('projector')).rejects.toThrow();
    await page.run('milepost doctor');
    world.running.set('projector', page.start('milepost projector'));
    const values = { ADDRESS: await world.address('projector') };
    const command = `${METRICS} | grep process_start_time_seconds`;
    expect(await page.run(command, values)).toContain('process_start_time_seconds');
  },
};
