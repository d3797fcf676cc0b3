import { listPlacedFleets } from '@milepost/operations/fleets';
import { listLanes } from '@milepost/operations/lanes';
import type { Job } from '@milepost/operations/operation';
import { list } from '@milepost/operations/replays';
import { showStatus } from '@milepost/operations/status';
import type { FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { prepareDatabase } from '../../../apps/cli/prepare-database.ts';
import { contentOf } from '../../support/answers.ts';
import { perSuite } from '../../support/fixtures.ts';
import { putOnNode } from '../../support/lane-node.ts';
import { auditTrail, openOps, opsProblem, requestOf, TOKEN } from '../../support/ops.ts';
import { fillLane } from '../../support/pipeline.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { startProxyTo } from '../../support/tcp-proxy.ts';

describeWithPostgres('the operators’ API on several lanes', () => {
  const world = perSuite(openOps);
  let ops: FastifyInstance;
  const proxy = perSuite(() => startProxyTo(world.pipeline.url));
  const jobs: Job[] = [];

  beforeAll(async () => {
    const { url, directory } = world.pipeline;
    await prepareDatabase(url, { lanes: 3 });
    for (const lane of [0, 1, 2]) {
      const fleet_id = `fleet-${lane}`;
      await directory.query('INSERT INTO fleet (fleet_id, lane) VALUES ($1, $2)', [fleet_id, lane]);
      await fillLane(url, lane, [driverProfile({ fleet_id }), tripProcessed({ fleet_id }), `{broken ${lane}`]);
    }
    await putOnNode(directory, 2, proxy.port);
    ops = await world.build({ announce: (job) => void jobs.push(job) });
  });

  const ask = async (path: string, request = {}) => await ops.inject(requestOf(path, request));
  const readiness = async () => {
    const answer = await ops.inject('/readyz');
    return [answer.statusCode, answer.json()];
  };
  const metrics = async () => (await ops.inject('/metrics')).body;

  describe('watched from outside', () => {
    it("provides each lane's metrics under the lane's label", async () => {
      const body = await metrics();
      for (const lane of [0, 1, 2]) {
        expect(body).toContain(`milepost_head_position{lane="${lane}"} 2\n`);
        expect(body).toContain(`milepost_up{lane="${lane}"} 1\n`);
        expect(body).toContain(`milepost_dead_letters_open{reason="invalid_json",lane="${lane}"} 1\n`);
      }
      expect(body.match(/^# HELP milepost_head_position /gm)).toHaveLength(1);
      expect(body).not.toMatch(/^process_.*lane=/m);
    });

    it('is not ready if any lane is not, and names the lane', async () => {
      expect(await readiness()).toEqual([200, { status: 'ready' }]);
      const { owner } = world.pipeline;
      await owner.query("UPDATE milepost_lane_1.log_source SET fault = 'planted', fault_at = now()");
      expect(await readiness()).toEqual([503, { status: 'not_ready', reason: 'source_fault', lane: 1 }]);
      await owner.query('UPDATE milepost_lane_1.log_source SET fault = NULL, fault_at = NULL');
      expect(await readiness()).toEqual([200, { status: 'ready' }]);
    });

    it.each(['cut', 'freeze'] as const)(
      "reports a dead lane, with the other lanes' figures, until it is back: %s",
      async (how) => {
        await proxy[how]();
        const unavailable = [503, { status: 'not_ready', reason: 'database_unavailable', lane: 2 }];
        await expect.poll(readiness).toEqual(unavailable);
        await expect.poll(metrics).toContain('milepost_up{lane="2"} 0\n');
        const body = await metrics();
        expect(body).toContain('milepost_head_position{lane="1"} 2\n');
        expect(body).not.toContain('milepost_head_position{lane="2"}');
        const status = contentOf(await ask('/status'), showStatus.answer);
        expect(status).toMatchObject({ head_position: 4, unavailable_lanes: [2] });
        await (how === 'cut' ? proxy.restore() : proxy.thaw());
        await expect.poll(readiness).toEqual([200, { status: 'ready' }]);
        await expect.poll(metrics).toContain('milepost_up{lane="2"} 1\n');
      },
    );
  });

  describe('used by operators', () => {
    it('lists the lanes with the number of their fleets', async () => {
      expect(contentOf(await ask('/lanes'), listLanes.answer).lanes).toEqual([
        { lane: 0, schema: 'milepost', fleets: 1 },
        { lane: 1, schema: 'milepost_lane_1', fleets: 1 },
        { lane: 2, schema: 'milepost_lane_2', fleets: 1 },
      ]);
    });

    it('lists each fleet once, with the progress of the running move, whatever moves have ended', async () => {
      const { directory } = world.pipeline;
      await directory.query(
        `INSERT INTO fleet_move (fleet_id, from_lane, to_lane, requested_by, step, position, head_position, ended_at)
         VALUES ('fleet-1', 0, 1, 'test', 'moved', 4, 4, now()), ('fleet-1', 1, 2, 'test', 'failed', 3, 4, now()),
           ('fleet-2', 2, 1, 'test', 'failed', 2, 4, now()), ('fleet-2', 2, 0, 'test', 'copying', 1, 4, NULL)`,
      );
      try {
        const { fleets } = contentOf(await ask('/fleets/lanes?beginning=fleet-'), listPlacedFleets.answer);
        expect(fleets.map(({ placed_at: _, ...fleet }) => fleet)).toEqual([
          { fleet_id: 'fleet-0', lane: 0, moving_to: null, copied_percent: null },
          { fleet_id: 'fleet-1', lane: 1, moving_to: null, copied_percent: null },
          { fleet_id: 'fleet-2', lane: 2, moving_to: 0, copied_percent: 25 },
        ]);
      } finally {
        await directory.query('DELETE FROM fleet_move');
      }
    });

    it('acts in the lane in the path, or in the lane of the fleet in the path, and otherwise in lane 0', async () => {
      const fleets = async (path: string) => (await ask(path)).json();
      expect(await fleets('/fleets')).toEqual({ fleets: ['fleet-0'] });
      expect(await fleets('/lanes/1/fleets')).toEqual({ fleets: ['fleet-1'] });
      expect(await fleets('/drivers/fleet-2')).toEqual({ drivers: ['driver-1'] });
      expect(await fleets('/lanes/0/drivers/fleet-2')).toEqual({ drivers: [] });
      expect(contentOf(await ask('/lanes/1/status'), showStatus.answer)).toMatchObject({
        head_position: 2,
        lanes: [{ lane: 1 }],
      });
    });

    it('passes the lane to the worker, and records it in the audit trail', async () => {
      const started = await ask('/lanes/1/replays', { method: 'POST', body: { projection: 'drivers' } });
      expect(started.json()).toMatchObject({ id: 1, lane: 1 });
      expect(started.headers['location']).toBe('/lanes/1/replays/1');
      await ask('/lanes/1/audits', { method: 'POST' });
      await ask('/audits', { method: 'POST' });
      expect(jobs).toEqual([
        { kind: 'replay', id: 1, lane: 1 },
        { kind: 'audit', lane: 1 },
        { kind: 'audit', lane: 0 },
      ]);
      expect(contentOf(await ask('/lanes/1/replays'), list.answer).replays).toMatchObject([{ id: 1, lane: 1 }]);
      expect(contentOf(await ask('/replays'), list.answer).replays).toEqual([]);
      await ask('/drivers/fleet-1/nobody/erasure', { method: 'POST', body: { reason: 'a test' } });
      const [erasure, first, second, replay] = await auditTrail(world);
      expect(erasure).toMatchObject({ action: 'drivers.erase', parameters: { fleet_id: 'fleet-1', lane: 1 } });
      expect(first).toMatchObject({ action: 'audit.start', parameters: {} });
      expect(second).toMatchObject({ action: 'audit.start', parameters: { lane: 1 } });
      expect(replay).toMatchObject({ action: 'replay.start', parameters: { projection: 'drivers', lane: 1 } });
      await ask('/lanes/1/replays/1/cancel', { method: 'POST' });
    });

    it('serves the dead letters and the status stream of each lane', async () => {
      expect((await ask('/lanes/1/dead-letters/1/record')).body).toBe('{broken 1');
      expect((await ask('/dead-letters/1/record')).body).toBe('{broken 0');
      const address = await ops.listen({ host: '127.0.0.1', port: 0 });
      const events = new AbortController();
      const { body } = await fetch(`${address}/lanes/1/events`, {
        headers: { authorization: `Bearer ${TOKEN}` },
        signal: events.signal,
      });
      const chunk = await body?.pipeThrough(new TextDecoderStream()).getReader().read();
      expect(chunk?.value).toMatch(/^event: status\ndata: \{"head_position":2,/);
      events.abort();
    });

    it('refuses a lane that does not exist with one sentence', async () => {
      const detail = 'There is no lane 7: the database has lanes 0 to 2.';
      for (const path of ['/lanes/7/status', '/lanes/7/dead-letters/1/record', '/lanes/7/events']) {
        expect(opsProblem(await ask(path), 404, 'lane_not_found')).toMatchObject({ detail });
      }
      opsProblem(await ask('/lanes/x/status'), 404, 'lane_not_found');
      const started = await ask('/lanes/7/replays', { method: 'POST', body: { projection: 'drivers' } });
      opsProblem(started, 404, 'lane_not_found');
      expect((await auditTrail(world))[0]).toMatchObject({
        action: 'replay.start',
        outcome: 'refused',
        parameters: { lane: 7 },
        detail,
      });
    });
  });
});
