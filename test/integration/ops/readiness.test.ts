import { claimSource, recordHeartbeats } from '@milepost/event-log/sources';
import { showStatus } from '@milepost/operations/status';
import type { FastifyInstance } from 'fastify';
import { expect, it } from 'vitest';
import { contentOf } from '../../support/answers.ts';
import { whileLocked } from '../../support/locks.ts';
import { describeWithOwnOps, readinessOf, requestOf } from '../../support/ops.ts';
import { deliver, projectAll } from '../../support/pipeline.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';

const READY = [200, { status: 'ready' }];

describeWithOwnOps('/readyz of the ops process', (world) => {
  const readiness = async (ops: FastifyInstance = world.ops) => await readinessOf(ops);

  async function change(sql: string): Promise<void> {
    expect((await world.pipeline.owner.query(sql)).rowCount).toBeGreaterThan(0);
  }

  it('returns 503 while a stored event waits longer than the limit, and gives the waiting time', async () => {
    await deliver(world.pipeline.ingest, [driverProfile(), tripProcessed()]);
    expect(await readiness()).toEqual(READY);
    await change("UPDATE stored_event SET stored_at = stored_at - interval '61 s' WHERE position = 1");
    const lag_seconds = expect.toSatisfy((lag: number) => lag >= 61 && lag < 120);
    const behind = { status: 'not_ready', reason: 'read_tables_behind', limit_seconds: 60, failed_position: null };
    expect(await readiness()).toEqual([503, { ...behind, lag_seconds }]);
    expect(await readiness(await world.build({ maximumLagSeconds: 3_600 }))).toEqual(READY);
    await projectAll(world.pipeline);
    expect(await readiness()).toEqual(READY);
  });

  it('returns 503 when no projector has ever run, and names the stored event that cannot be applied', async () => {
    await deliver(world.pipeline.ingest, [driverProfile()]);
    await change("UPDATE stored_event SET stored_at = stored_at - interval '61 s'");
    // A generation that a replay is building may have stopped, too, but no response needs it.
    await change(
      `INSERT INTO generation (projection, generation, version, failed_position, failure)
       VALUES ('trips', 2, 1, 1, 'planted')`,
    );
    expect(await readiness()).toMatchObject([503, { reason: 'read_tables_behind', failed_position: null }]);
    await change("UPDATE generation SET failed_position = 1, failure = 'planted' WHERE projection = 'trips' AND live");
    expect(await readiness()).toMatchObject([503, { reason: 'read_tables_behind', failed_position: 1 }]);
    await change('DELETE FROM generation');
    expect(await readiness()).toMatchObject([503, { reason: 'read_tables_behind', failed_position: null }]);
  });

  it('returns 503 while Kafka is configured and no process has held a source for a minute', async () => {
    const ops = await world.build({ askEndOffsets: async () => new Map() });
    const ingest = async (server = ops) =>
      contentOf(await server.inject(requestOf('/status')), showStatus.answer).ingest;
    const missing = { status: 'not_ready', reason: 'ingest_missing', limit_seconds: 60 };
    expect(await readiness(ops)).toEqual([503, { ...missing, missing_seconds: null }]);
    const claim = await claimSource(world.pipeline.ingest, 'milepost.trips', 0);
    expect(await readiness(ops)).toEqual([503, { ...missing, missing_seconds: null }]);
    expect(await ingest()).toBe('missing');
    await recordHeartbeats(world.pipeline.ingest, [claim]);
    expect(await readiness(ops)).toEqual(READY);
    expect(await ingest()).toBe('running');
    await change("UPDATE log_source SET held_at = now() - interval '61 s'");
    expect(await readiness(ops)).toEqual([503, { ...missing, missing_seconds: expect.any(Number) }]);
    expect(await ingest()).toBe('missing');
    // Files do not need a process that claims them.
    expect(await readiness()).toEqual(READY);
    expect(await ingest(world.ops)).toBeNull();
    // A claim that another process has taken over does not count as reading. A deleted topic need not be read.
    const later = await claimSource(world.pipeline.ingest, 'milepost.trips', 0);
    await recordHeartbeats(world.pipeline.ingest, [claim]);
    expect(await readiness(ops)).toMatchObject([503, { reason: 'ingest_missing' }]);
    await recordHeartbeats(world.pipeline.ingest, [await claimSource(world.pipeline.ingest, 'former.trips', 0)]);
    await change("UPDATE log_source SET held_at = now() - interval '61 s'");
    await recordHeartbeats(world.pipeline.ingest, [claim, later]);
    expect(await readiness(ops)).toEqual(READY);
  });

  it('depends on a heartbeat that does not wait for a source locked by an append, but skips it', async () => {
    const [first, second] = [
      await claimSource(world.pipeline.ingest, 'milepost.trips', 0),
      await claimSource(world.pipeline.ingest, 'milepost.trips', 1),
    ];
    const append = 'UPDATE log_source SET next_offset = 1, records_read = 1, records_stored = 1 WHERE partition = 0';
    const hold = async () => await recordHeartbeats(world.pipeline.ingest, [first, second]);
    await whileLocked(world.pipeline.owner, append, hold, async () => {});
    const { rows } = await world.pipeline.owner.query(
      'SELECT held_at IS NOT NULL AS held FROM log_source ORDER BY partition',
    );
    expect(rows).toEqual([{ held: false }, { held: true }]);
  });

  it('returns 503 while the list of lanes cannot be read, and is ready again afterwards', async () => {
    await world.pipeline.directory.query('ALTER VIEW listed_lane RENAME TO away');
    const unready = [503, { status: 'not_ready', reason: 'database_not_migrated' }];
    await expect.poll(() => readiness()).toEqual(unready);
    await world.pipeline.directory.query('ALTER VIEW away RENAME TO listed_lane');
    await expect.poll(() => readiness()).toEqual(READY);
  });
});
