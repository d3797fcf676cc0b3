import { acceptSource } from '@milepost/operations/sources';
import { showStatus } from '@milepost/operations/status';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contentOf } from '../../support/answers.ts';
import { auditTrail, declaredStatuses, type OpsWorld, openOps, opsProblem } from '../../support/ops.ts';
import { deliver } from '../../support/pipeline.ts';
import { driverProfile } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const PATH = '/sources/milepost.drivers/0/accept';

describeWithPostgres('a source that stands still', () => {
  let world: OpsWorld;

  beforeAll(async () => {
    world = await openOps();
    await deliver(world.pipeline.ingest, [driverProfile()], 'milepost.drivers');
    await deliver(world.pipeline.ingest, [driverProfile()], 'milepost.trips');
  });
  afterAll(async () => await world?.close());

  const accept = async (body: object, path = PATH) => await world.ask(path, { method: 'POST', body });

  const fault = async (stopped: boolean) =>
    await world.pipeline.owner.query(
      `UPDATE log.source SET stopped = $1, fault = 'It was made anew.', fault_at = now() WHERE topic = 'milepost.drivers'`,
      [stopped],
    );

  it.each([true, false])(
    'is red, and shown with its cause, until an operator settles it (stopped: %s)',
    async (stopped) => {
      expect((await world.ops.inject('/readyz')).json()).toEqual({ status: 'ready' });
      await fault(stopped);
      const ready = await world.ops.inject('/readyz');
      expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'not_ready', reason: 'source_fault' }]);
      const { sources } = contentOf(await world.ask('/status'), showStatus.answer);
      expect(sources).toMatchObject([
        { topic: 'milepost.drivers', stopped, fault: 'It was made anew.', fault_at: expect.any(String) },
        { topic: 'milepost.trips', stopped: false, fault: null, fault_at: null },
      ]);
      const metrics = (await (await world.build({})).inject('/metrics')).body;
      expect(metrics).toContain('milepost_source_fault{topic="milepost.drivers",partition="0"} 1');
      expect(metrics).toContain('milepost_source_fault{topic="milepost.trips",partition="0"} 0');

      const next_offset = stopped ? 7 : 0;
      const accepted = contentOf(await accept({ from: stopped ? 7 : 'beginning' }), acceptSource.answer);
      expect(accepted).toEqual({
        topic: 'milepost.drivers',
        partition: 0,
        abandoned_offset: stopped ? 1 : 7,
        next_offset,
      });
      expect((await auditTrail(world))[0]).toMatchObject({
        action: 'sources.accept',
        outcome: 'done',
        parameters: { topic: 'milepost.drivers', partition: '0', from: stopped ? 7 : 'beginning' },
        detail: `milepost.drivers/0 goes on at offset ${next_offset} instead of ${accepted.abandoned_offset}`,
      });
      expect((await world.ops.inject('/readyz')).statusCode).toBe(200);
    },
  );

  it('is what may be accepted and nothing else, on record', async () => {
    for (const path of [
      PATH,
      '/sources/nothing/0/accept',
      '/sources/%00/0/accept',
      '/sources/milepost.drivers/x/accept',
    ]) {
      opsProblem(await accept({ from: 0 }, path), 409, 'source_refused');
    }
    expect((await auditTrail(world))[0]).toMatchObject({ action: 'sources.accept', outcome: 'refused' });
    await fault(true);
    for (const from of [-1, 1.5, '7', 'end', null, undefined]) {
      const { errors = [] } = opsProblem(await accept({ from }), 400, 'invalid_parameter');
      expect(errors.map(({ parameter }) => parameter)).toEqual(['from']);
    }
    expect(await declaredStatuses(world, 'post', '/sources/{topic}/{partition}/accept')).toEqual(
      expect.arrayContaining(['200', '400', '409']),
    );
  });
});
