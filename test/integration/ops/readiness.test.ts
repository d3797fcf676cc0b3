import { claimSource, holdSources } from '@milepost/event-log';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type OpsWorld, openOps } from '../../support/ops.ts';
import { deliver, projectAll } from '../../support/pipeline.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const READY = [200, { status: 'ready' }];

describeWithPostgres('/readyz of the ops process', () => {
  let world: OpsWorld;
  beforeEach(async () => {
    world = await openOps();
  });
  afterEach(async () => await world?.close());

  async function readiness(ops: FastifyInstance = world.ops): Promise<unknown[]> {
    const answer = await ops.inject('/readyz');
    return [answer.statusCode, answer.json()];
  }

  async function change(sql: string): Promise<void> {
    expect((await world.pipeline.owner.query(sql)).rowCount).toBeGreaterThan(0);
  }

  it('is red while a stored event waits for longer than the limit, and says for how long', async () => {
    await deliver(world.pipeline.ingest, [driverProfile(), tripProcessed()]);
    expect(await readiness()).toEqual(READY);
    await change("UPDATE log.stored_event SET stored_at = stored_at - interval '61 s' WHERE position = 1");
    const [status, body] = await readiness();
    expect([status, body]).toEqual([
      503,
      {
        status: 'not_ready',
        reason: 'read_tables_behind',
        lag_seconds: expect.any(Number),
        limit_seconds: 60,
        failed_position: null,
      },
    ]);
    expect(body).toHaveProperty(
      'lag_seconds',
      expect.toSatisfy((lag: number) => lag >= 61 && lag < 120),
    );
    expect(await readiness(await world.build({ maximumLagSeconds: 3_600 }))).toEqual(READY);
    await projectAll(world.pipeline);
    expect(await readiness()).toEqual(READY);
  });

  it('is red too when no projector has ever run, and names the stored event that cannot be applied', async () => {
    await deliver(world.pipeline.ingest, [driverProfile()]);
    await change("UPDATE log.stored_event SET stored_at = stored_at - interval '61 s'");
    await change(
      "UPDATE projection.generation SET failed_position = 1, failure = 'planted' WHERE projection = 'trips'",
    );
    expect(await readiness()).toMatchObject([503, { reason: 'read_tables_behind', failed_position: 1 }]);
    await change('DELETE FROM projection.generation');
    expect(await readiness()).toMatchObject([503, { reason: 'read_tables_behind', failed_position: null }]);
  });

  it('is red while records should come from Kafka and nobody has held a source for a minute', async () => {
    const ops = await world.build({ askEndOffsets: async () => new Map() });
    const missing = { status: 'not_ready', reason: 'ingest_missing', limit_seconds: 60 };
    expect(await readiness(ops)).toEqual([503, { ...missing, missing_seconds: null }]);
    const claim = await claimSource(world.pipeline.ingest, 'milepost.trips', 0);
    expect(await readiness(ops)).toEqual([503, { ...missing, missing_seconds: null }]);
    await holdSources(world.pipeline.ingest, [claim]);
    expect(await readiness(ops)).toEqual(READY);
    await change("UPDATE log.source SET held_at = now() - interval '61 s'");
    expect(await readiness(ops)).toEqual([503, { ...missing, missing_seconds: expect.any(Number) }]);
    // Files need nobody to hold them.
    expect(await readiness()).toEqual(READY);
  });

  it('believes no process whose claim another one has taken over', async () => {
    const ops = await world.build({ askEndOffsets: async () => new Map() });
    const old = await claimSource(world.pipeline.ingest, 'milepost.trips', 0);
    const claim = await claimSource(world.pipeline.ingest, 'milepost.trips', 0);
    await holdSources(world.pipeline.ingest, [old]);
    expect(await readiness(ops)).toMatchObject([503, { reason: 'ingest_missing' }]);
    await holdSources(world.pipeline.ingest, [old, claim]);
    expect(await readiness(ops)).toEqual(READY);
  });

  it('leaves a source that an append is about to move to the append, and waits for nobody', async () => {
    const [first, second] = [
      await claimSource(world.pipeline.ingest, 'milepost.trips', 0),
      await claimSource(world.pipeline.ingest, 'milepost.trips', 1),
    ];
    const appending = await world.pipeline.owner.connect();
    try {
      await appending.query('BEGIN');
      await appending.query(
        'UPDATE log.source SET next_offset = 1, records_read = 1, records_stored = 1 WHERE partition = 0',
      );
      await holdSources(world.pipeline.ingest, [first, second]);
    } finally {
      await appending.query('ROLLBACK');
      appending.release();
    }
    const { rows } = await world.pipeline.owner.query(
      'SELECT held_at IS NOT NULL AS held FROM log.source ORDER BY partition',
    );
    expect(rows).toEqual([{ held: false }, { held: true }]);
  });

  it('documents what it says', async () => {
    const { paths, components } = (await world.ask('/openapi.json')).json();
    const { content } = paths['/readyz'].get.responses['503'];
    expect(content['application/json'].schema).toEqual({ $ref: '#/components/schemas/NotReady' });
    const schema = components.schemas.NotReady;
    expect(schema.properties.reason.enum).toEqual(expect.arrayContaining(['read_tables_behind', 'ingest_missing']));
    for (const figure of ['lag_seconds', 'limit_seconds', 'missing_seconds', 'failed_position'])
      expect(JSON.stringify(schema.properties[figure]), figure).toContain('description');
  });
});
