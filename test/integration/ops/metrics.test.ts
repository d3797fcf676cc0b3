import { runAudit } from '@milepost/audit';
import { PROJECTIONS } from '@milepost/projections';
import { promoteReplay } from '@milepost/replay';
import type { FastifyInstance } from 'fastify';
import { expect, it } from 'vitest';
import { whileLocked } from '../../support/locks.ts';
import { parseMetrics } from '../../support/metrics.ts';
import { describeWithOwnOps } from '../../support/ops.ts';
import { deliver, deliverAndProject, projectAll } from '../../support/pipeline.ts';
import { driverProfile } from '../../support/records.ts';
import { workerOf } from '../../support/replay.ts';

describeWithOwnOps('/metrics', (world) => {
  /** Returns the metrics of a server, by default of a new instance. */
  async function scrape(ops?: FastifyInstance) {
    const answer = await (ops ?? (await world.build({}))).inject('/metrics');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    return parseMetrics(answer.body);
  }

  const recordsIn = ({ sum }: ReturnType<typeof parseMetrics>) =>
    ['stored', 'duplicate', 'dead_letter'].map((outcome) => sum('milepost_records_total', { outcome }));

  it("contains one snapshot of the database and the process's own figures", async () => {
    const records = [driverProfile(), driverProfile(), driverProfile({ driver_id: 'other' }), '{broken'];
    await deliver(world.pipeline.ingest, records, 'milepost.drivers');
    await deliver(world.pipeline.ingest, [], 'file:trips.ndjson');
    const before = await scrape();
    // Each file would add a series permanently.
    expect(before.text).not.toContain('file:');
    expect(before.sum('milepost_up')).toBe(1);
    expect(before.sum('milepost_head_position')).toBe(2);
    const labels = { projection: 'drivers', generation: 1, version: 1 };
    expect(before.sum('milepost_projection_checkpoint', labels)).toBe(0);
    expect(before.sum('milepost_projection_lag_events', labels)).toBe(2);
    expect(before.sum('milepost_projection_lag_seconds', labels)).toBeGreaterThan(0);
    expect(before.sum('milepost_projection_failed', labels)).toBe(0);
    expect(before.sum('milepost_dead_letters_open', { reason: 'invalid_json' })).toBe(1);
    expect(before.sum('milepost_dead_letters_open', { reason: 'start_in_future' })).toBe(0);
    expect(before.sum('milepost_source_next_offset', { topic: 'milepost.drivers', partition: '0' })).toBe(4);
    expect(recordsIn(before)).toEqual([2, 1, 1]);
    expect(before.sum('process_resident_memory_bytes')).toBeGreaterThan(0);

    await projectAll(world.pipeline);
    await world.pipeline.owner.query("UPDATE generation SET failure = 'broken' WHERE projection = 'trips'");
    const after = await scrape();
    const failed = after.series('milepost_projection_failed').filter(({ value }) => value === 1);
    expect(failed).toMatchObject([{ labels: { projection: 'trips' } }]);
    expect(after.sum('milepost_projection_checkpoint', labels)).toBe(2);
    expect(after.sum('milepost_projection_lag_seconds', labels)).toBe(0);
  });

  it('contains the running replays and the generations in each state', async () => {
    const worker = workerOf(world.pipeline.projector, PROJECTIONS);
    await deliverAndProject(world.pipeline, [driverProfile()]);
    const idle = await scrape();
    expect(idle.sum('milepost_replays_halted', { reason: 'paused' })).toBe(0);
    expect(idle.text).not.toMatch(/^milepost_replay_/m);

    const id = await worker.startAndRun({ projection: 'drivers' });
    const labels = { replay: id, projection: 'drivers' };
    const waiting = await scrape();
    expect(waiting.sum('milepost_replay_position', labels)).toBe(1);
    expect(waiting.sum('milepost_replay_target', labels)).toBe(1);
    expect(waiting.sum('milepost_replay_phase', { ...labels, phase: 'waiting' })).toBe(1);
    expect(waiting.sum('milepost_generations', { projection: 'drivers', state: 'live' })).toBe(1);
    expect(waiting.sum('milepost_generations', { projection: 'drivers', state: 'building' })).toBe(1);

    await promoteReplay(world.pool, id, { acceptDifferences: false });
    await worker.run(id);
    const promoted = await scrape();
    expect(promoted.sum('milepost_generations', { projection: 'drivers', state: 'building' })).toBe(0);
    expect(promoted.sum('milepost_generations', { projection: 'drivers', state: 'retired' })).toBe(1);
    expect(promoted.text).not.toMatch(/^milepost_replay_/m);
  });

  it('contains the rate of a running replay, and counts halted replays', async () => {
    const worker = workerOf(world.pipeline.projector, PROJECTIONS);
    const id = await worker.start({ projection: 'drivers' });
    await world.pipeline.owner.query(
      `UPDATE replay SET target = 100, lease_expires_at = now() + interval '1 minute', trips_per_second = 10,
         slowest_trips_per_second = 5, fastest_trips_per_second = 20`,
    );
    const labels = { replay: id, projection: 'drivers' };
    const going = await scrape();
    expect(going.sum('milepost_replay_trips_per_second', labels)).toBe(10);
    expect(going.sum('milepost_replay_remaining_seconds', labels)).toBe(10);
    await world.pipeline.owner.query("UPDATE replay SET halted = 'failed'");
    const failed = await scrape();
    expect(failed.sum('milepost_replays_halted', { reason: 'failed' })).toBe(1);
    expect(failed.sum('milepost_replays_halted', { reason: 'paused' })).toBe(0);
    expect(failed.sum('milepost_replay_trips_per_second', labels)).toBeUndefined();
  });

  it('contains the findings of the latest audit that covered all projections', async () => {
    expect((await scrape()).text).not.toMatch(/^milepost_audit_/m);
    await deliverAndProject(world.pipeline, [driverProfile(), driverProfile({ driver_id: 'other' })]);
    await world.pipeline.owner.query('DELETE FROM drivers');
    await runAudit(world.pipeline.projector, PROJECTIONS);
    await runAudit(world.pipeline.projector, PROJECTIONS, { projection: 'trips' });
    const metrics = await scrape();
    expect(metrics.sum('milepost_audit_equal')).toBe(0);
    expect(metrics.sum('milepost_audit_faults', { check: 'missing_row', projection: 'drivers' })).toBe(2);
    expect(metrics.sum('milepost_audit_seconds')).toBeGreaterThan(0);
    const age = metrics.sum('milepost_audit_age_seconds');
    expect(age).toBeGreaterThanOrEqual(0);
    expect(age).toBeLessThan(60);
  });

  it('never decreases a counter, even when dead letters are settled', async () => {
    await deliver(world.pipeline.ingest, ['{broken', '{broken', '{broken', '{broken']);
    await world.pipeline.owner.query(
      `WITH resolved AS (
         UPDATE dead_letter SET resolved_at = now(),
           resolution = (ARRAY['retried', 'duplicate', 'discarded'])[dead_letter_id] WHERE dead_letter_id <= 3)
       UPDATE log_source SET records_dead_letter = 2, records_stored = 1, records_duplicate = 1`,
    );
    const metrics = await scrape();
    expect(recordsIn(metrics)).toEqual([1, 1, 4]);
    expect(metrics.sum('milepost_dead_letters_open', { reason: 'invalid_json' })).toBe(1);
  });

  it('reads the database once for scrapes within the same second', async () => {
    const ops = await world.build({});
    const first = await scrape(ops);
    await deliver(world.pipeline.ingest, [driverProfile()]);
    const second = await scrape(ops);
    expect(second.sum('milepost_head_position')).toBe(first.sum('milepost_head_position'));
    const head = async () => (await scrape(ops)).sum('milepost_head_position');
    await expect.poll(head, { timeout: 5_000 }).toBe(1);
  });

  it("contains only the process figures while the database hangs, before Prometheus's scrape timeout", async () => {
    const { owner } = world.pipeline;
    const scrapeInTime = async () => {
      const started = performance.now();
      const { samples, sum } = await scrape();
      expect(performance.now() - started).toBeLessThan(8_000);
      const own = samples.filter(({ name }) => name.startsWith('milepost_'));
      expect(own).toEqual([{ name: 'milepost_up', labels: {}, value: 0 }]);
      expect(sum('process_resident_memory_bytes')).toBeGreaterThan(0);
      // After the response, none of the scrape's statements may still be running in the database.
      const { rows } = await owner.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      expect(rows).toEqual([]);
    };
    await whileLocked(owner, 'LOCK TABLE dead_letter IN ACCESS EXCLUSIVE MODE', scrapeInTime, async () => {});
  });
});
