import { createPool, laneAt, type Part, ROLES } from '@milepost/postgres';
import { LanePools } from '@milepost/postgres/lanes';
import { messageOf } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { DriverPage } from '../../../apps/api/routes/index.ts';
import { ServedLanes } from '../../../apps/api/served-lanes.ts';
import { prepareDatabase } from '../../../apps/cli/prepare-database.ts';
import { contentOf, problemOf } from '../../support/answers.ts';
import { perSuite, untilTestEnds } from '../../support/fixtures.ts';
import { putOnNode } from '../../support/lane-node.ts';
import { LaneWorld } from '../../support/lane-world.ts';
import { whileLocked } from '../../support/locks.ts';
import { fillLane, openPartPool, projectAll } from '../../support/pipeline.ts';
import { recordedLog } from '../../support/recorded-log.ts';
import { driverProfile } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { valuesOf } from '../../support/tables.ts';
import { startProxyTo } from '../../support/tcp-proxy.ts';
import { createWorld } from '../../support/world.ts';

describeWithPostgres('the API on several lanes', () => {
  const world = perSuite(createWorld);
  const proxy = perSuite(() => startProxyTo(world.url));
  const keys = new Map<string, string>();

  /** Stores a fleet's driver in a lane and applies the record. The driver's id is the same in every fleet. */
  async function fill(fleet_id: string, lane: number): Promise<void> {
    await fillLane(world.url, lane, [driverProfile({ fleet_id, first_name: fleet_id })]);
    await world.directory.query('INSERT INTO fleet (fleet_id, lane) VALUES ($1, $2)', [fleet_id, lane]);
    keys.set(fleet_id, await world.createKey(fleet_id));
  }

  beforeAll(async () => {
    await prepareDatabase(world.url, { lanes: 3 });
    for (const [lane, fleet] of ['zero', 'one', 'two'].entries()) await fill(fleet, lane);
    await putOnNode(world.directory, 2, proxy.port);
  });

  async function ask(api: FastifyInstance, fleet: string, url = '/api/v1/drivers') {
    const headers = { authorization: `APIKEY ${keys.get(fleet)}`, 'content-type': 'application/json' };
    return await api.inject({ url, headers });
  }
  const ready = async (api: FastifyInstance) => (await api.inject('/readyz')).json();

  it('serves each fleet from its lane', async () => {
    // Another test may have cut the connections of the common API.
    const api = await world.buildApi();
    for (const fleet of ['zero', 'one', 'two']) {
      const { drivers } = contentOf(await ask(api, fleet), DriverPage);
      expect(drivers.map(({ first_name }) => first_name)).toEqual([fleet]);
    }
    expect(await ready(api)).toEqual({ status: 'ready' });
  });

  it('serves a fleet without records from the first lane, and follows the fleet to its lane within 3 s', async () => {
    const key = await world.createKey('late');
    keys.set('late', key);
    expect(contentOf(await ask(world.api, 'late'), DriverPage).drivers).toEqual([]);
    await fillLane(world.url, 1, [driverProfile({ fleet_id: 'late' })]);
    await world.directory.query("INSERT INTO fleet (fleet_id, lane) VALUES ('late', 1)");
    const count = async () => contentOf(await ask(world.api, 'late'), DriverPage).count;
    await expect.poll(count, { timeout: 10_000 }).toBe(1);
  });

  it.each(['cut', 'freeze'] as const)(
    'refuses only the fleets of a dead lane, names the lane, and recovers: %s',
    async (how) => {
      const api = await world.buildApi({ maxTurnMilliseconds: 5_000 });
      contentOf(await ask(api, 'two'), DriverPage);
      await proxy[how]();
      problemOf(await ask(api, 'two'), 503, 'unavailable');
      await expect.poll(() => ready(api)).toEqual({ status: 'ready', unavailable_lanes: [2] });
      for (let request = 0; request < 20; request += 1) {
        for (const fleet of ['zero', 'one']) {
          // On a busy machine, a lane may exceed the check's limit for a moment. After the next check, its requests
          // succeed again.
          await expect.poll(async () => (await ask(api, fleet)).statusCode).toBe(200);
        }
        const started = performance.now();
        expect(problemOf(await ask(api, 'two'), 503, 'unavailable')).toBeDefined();
        // The response does not wait for this lane. Requests to it would end only after 5 s.
        expect(performance.now() - started).toBeLessThan(2_500);
      }
      await (how === 'cut' ? proxy.restore() : proxy.thaw());
      await expect.poll(() => ready(api)).toEqual({ status: 'ready' });
      await expect.poll(async () => (await ask(api, 'two')).statusCode).toBe(200);
    },
  );

  it('suspects a lane whose database fails a request, but does not suspect the lane of an unknown trip', async () => {
    const suspect = vi.spyOn(ServedLanes.prototype, 'suspect');
    onTestFinished(() => suspect.mockRestore());
    const api = await world.buildApi();
    contentOf(await ask(api, 'two'), DriverPage);
    problemOf(await ask(api, 'two', '/api/v1/trip/trip_id/unknown'), 404, 'trip_not_found');
    expect(suspect).not.toHaveBeenCalled();
    await proxy.cut();
    onTestFinished(async () => await proxy.restore());
    problemOf(await ask(api, 'two'), 503, 'unavailable');
    expect(suspect.mock.calls).toEqual([[2]]);
  });

  it('runs at most one check of a lane at a time, however often its readiness is requested', async () => {
    const part = laneAt(world.url);
    const own = { part, role: ROLES.api, applicationName: 'milepost-checks', statementTimeoutMilliseconds: 10_000 };
    const api = await world.buildApi({ pool: untilTestEnds(createPool({ ...own, connections: 5 })) });
    const owner = world.pool;
    const sql = `SELECT count(*)::int FROM pg_stat_activity
       WHERE application_name = $1 AND datname = current_database() AND wait_event_type = 'Lock'`;
    const waiting = async () => (await valuesOf<number>(owner, sql, [own.applicationName]))[0];
    const probe = async () => {
      await expect.poll(() => ready(api)).toEqual({ status: 'ready', unavailable_lanes: [0] });
      for (let check = 0; check < 4; check += 1) {
        await ready(api);
        expect(await waiting()).toBeLessThanOrEqual(1);
      }
    };
    await whileLocked(owner, 'LOCK TABLE generation IN ACCESS EXCLUSIVE MODE', probe, async () => {});
    await expect.poll(() => ready(api)).toEqual({ status: 'ready' });
  });
});

describeWithPostgres('the lanes of the API', () => {
  /** Creates three lanes with read tables, and opens them as the API does. Also returns the lines that they log. */
  async function openLanes() {
    const world = untilTestEnds(await LaneWorld.create(3, 1));
    for (const { number } of world.lanes) await projectAll({ projector: world.pool(number, ROLES.projector) });
    const open = (lane: Part) => openPartPool(lane, ROLES.api);
    const pools = untilTestEnds(new LanePools(world.directory, open));
    const { logger, lines } = recordedLog<{ lane: number; message: string }>();
    const served = new ServedLanes(pools, undefined, logger);
    const rename = async (lane: number, from: string, to: string) =>
      await world.owner(lane).query(`ALTER VIEW ${from} RENAME TO ${to}`);
    return {
      served,
      lines,
      break: async (lane: number) => await rename(lane, 'fleets', 'fleets_away'),
      mend: async (lane: number) => await rename(lane, 'fleets_away', 'fleets'),
    };
  }

  // On a busy machine, a lane may exceed a check's limit for a moment. A later check then succeeds.
  it('are checked in turn, and are refused and named in order for as long as their last check has failed', async () => {
    const lanes = await openLanes();
    const untilFailing = async (...failing: number[]) => await expect.poll(() => lanes.served.check()).toEqual(failing);
    await untilFailing();
    for (const lane of [2, 1]) {
      await lanes.break(lane);
      lanes.served.suspect(lane);
      await lanes.served.check();
    }
    await untilFailing(1, 2);
    for (const lane of [1, 2])
      expect(() => lanes.served.assertWorking(lane)).toThrow(
        expect.objectContaining({ code: 'unavailable', headers: { 'retry-after': expect.anything() } }),
      );
    lanes.served.assertWorking(0);
    // A check that always tried the lane that failed first would not notice that lane 1 works again.
    await lanes.mend(1);
    await untilFailing(2);
    lanes.served.assertWorking(1);
    const messages = lanes.lines.flatMap(({ lane, message }) => (lane === 1 ? [message] : []));
    expect(messages.slice(-2)).toEqual([
      'The lane is not responding: refusing its requests.',
      'The lane is responding again.',
    ]);
    // Each outage is logged once when it begins and once when it ends.
    expect(messages.filter((message, index) => message === messages[index - 1])).toEqual([]);
  });

  it('include a lane that fails without a request to it', async () => {
    const lanes = await openLanes();
    await expect.poll(() => lanes.served.check()).toEqual([]);
    await lanes.break(1);
    await expect.poll(() => lanes.served.check()).toEqual([1]);
  });

  it("make the API unready with a lane's error if none of them works", async () => {
    const lanes = await openLanes();
    await expect.poll(() => lanes.served.check()).toEqual([]);
    for (const lane of [0, 1, 2]) {
      await lanes.break(lane);
      lanes.served.suspect(lane);
    }
    const outcome = async () => await lanes.served.check().catch((error: unknown) => messageOf(error));
    // Later checks try one lane at a time.
    for (const _time of [1, 2]) await expect.poll(outcome).toBe('relation "fleets" does not exist');
    await lanes.mend(0);
    await expect.poll(outcome).toEqual([1, 2]);
    lanes.served.assertWorking(0);
  });
});
