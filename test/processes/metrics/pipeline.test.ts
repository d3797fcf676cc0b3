import { expect, it } from 'vitest';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { openMeasured } from '../../support/measured-processes.ts';
import { addressOf, metricsUrl, scrape } from '../../support/metrics.ts';
import { needs } from '../../support/programs.ts';
import { tripProcessed } from '../../support/records.ts';
import { describeWithKafka } from '../../support/service-suites.ts';
import type { Message } from '../../support/topics.ts';

const TRIPS = 40;

const trip = (name: string): Message => ({
  topic: 'trips',
  key: name,
  value: JSON.stringify(tripProcessed({ source_trip_id: name })),
  broken: false,
});
const trips = Array.from({ length: TRIPS }, (_, index) => trip(`trip-${index}`));
const broken: Message = { topic: 'trips', key: 'broken', value: '{broken', broken: true };

describeWithKafka('the pipeline metrics', (brokers) => {
  it('count what ingest has read, and show what it has not yet stored', needs('promtool'), async () => {
    const { log, topics, processes } = await openMeasured(brokers);
    const url = await metricsUrl(processes.start('ingest'));
    const published = [...trips, broken, broken, ...trips.slice(0, 3)];
    await topics.publish(published);
    const records = async () => (await scrape(url)).sum('milepost_ingest_records_total');
    await expect.poll(records).toBe(published.length);
    const stored = await scrape(url);
    expect(stored.sum('milepost_ingest_bytes_total')).toBe(
      published.reduce((sum, { value }) => sum + Buffer.byteLength(value ?? ''), 0),
    );
    const { rows } = await log.owner.query<{ partition: number; records_read: number }>(
      'SELECT partition, records_read FROM log_source WHERE records_read > 0',
    );
    expect(rows.length).toBeGreaterThan(1);
    for (const { partition, records_read } of rows) {
      const labels = { topic: topics.names.trips, partition };
      expect(stored.sum('milepost_ingest_records_total', labels)).toBe(records_read);
      expect(stored.sum('milepost_ingest_lag_records', labels)).toBe(0);
    }
    expect(stored.sum('milepost_ingest_dead_letters_total', { reason: 'invalid_json' })).toBe(2);
    expect(stored.sum('milepost_ingest_dead_letters_total', { reason: 'missing_field' })).toBe(0);
    expect(stored.sum('milepost_ingest_batch_records_sum')).toBe(published.length);
    expect(stored.sum('milepost_ingest_queue_bytes')).toBe(0);
    expect(stored.sum('milepost_ingest_fetch_pauses_total')).toBe(0);
    expect(stored.sum('milepost_ingest_rebalances_total')).toBe(1);
    const steps = (name: 'count' | 'sum', step: string) =>
      stored.sum(`milepost_ingest_step_duration_seconds_${name}`, { step }) ?? 0;
    expect(steps('count', 'encode')).toBe(stored.sum('milepost_ingest_batch_records_count'));
    expect(steps('count', 'store')).toBe(steps('count', 'lock'));
    for (const step of ['read', 'encode', 'lock', 'store']) expect(steps('sum', step)).toBeGreaterThan(0);
    expect(stored.sum('milepost_database_connections_limit', { pool: 'lanes' })).toBe(4);
    expect(stored.text).not.toMatch(/driver-1|acme/);
    expect(stored.complaints()).toBe('');

    const late = trip('late');
    let heldMilliseconds = 0;
    await whileLocked(
      log.owner,
      'SELECT FROM log_head FOR UPDATE',
      async () => {
        await lockWaiters(log.owner, 1);
        const from = performance.now();
        const waiting = await scrape(url);
        expect(waiting.sum('milepost_ingest_lag_records')).toBe(1);
        expect(waiting.sum('milepost_ingest_queue_bytes')).toBeGreaterThan(Buffer.byteLength(late.value ?? ''));
        heldMilliseconds = performance.now() - from;
      },
      async () => await topics.publish([late]),
    );
    await expect.poll(records).toBe(published.length + 1);
    const after = await scrape(url);
    expect(after.sum('milepost_ingest_lag_records')).toBe(0);
    const waited =
      (after.sum('milepost_ingest_step_duration_seconds_sum', { step: 'lock' }) ?? 0) - steps('sum', 'lock');
    expect(waited).toBeGreaterThanOrEqual(heldMilliseconds / 1000);
  });

  it('count what the projector has applied, and show its lag', needs('promtool'), async () => {
    const { log, topics, processes } = await openMeasured(brokers);
    processes.start('ingest');
    const url = await metricsUrl(processes.start('projector'));
    await topics.publish(trips);
    const applied = async () => (await scrape(url)).sum('milepost_projector_batch_events_sum', { projection: 'trips' });
    await expect.poll(applied).toBe(TRIPS);
    const idle = await scrape(url);
    for (const projection of ['drivers', 'trips', 'daily_rollups', 'weekly_rollups', 'fleets']) {
      expect(idle.sum('milepost_projector_batch_events_sum', { projection }), projection).toBe(TRIPS);
      expect(idle.sum('milepost_projector_batch_duration_seconds_sum', { projection })).toBeGreaterThan(0);
      expect(idle.sum('milepost_projector_batch_duration_seconds_count', { projection })).toBe(
        idle.sum('milepost_projector_batch_events_count', { projection }),
      );
      expect(idle.sum('milepost_projector_lag_events', { projection, lane: 0 })).toBe(0);
      expect(idle.sum('milepost_projector_lag_seconds', { projection, lane: 0 })).toBe(0);
    }
    expect(idle.text).not.toMatch(/driver-1|acme/);
    expect(idle.complaints()).toBe('');
    const lags = async () => {
      const { samples } = await scrape(url);
      return samples.filter(({ name }) => name === 'milepost_projector_lag_events').map(({ value }) => value);
    };
    await whileLocked(
      log.owner,
      'SELECT FROM generation FOR UPDATE',
      async () => {
        await expect.poll(lags).toEqual([1, 1, 1, 1, 1]);
        expect((await scrape(url)).sum('milepost_projector_lag_seconds', { projection: 'trips' })).toBeGreaterThan(0);
      },
      async () => await topics.publish([trip('late')]),
    );
    await expect.poll(lags).toEqual([0, 0, 0, 0, 0]);
  });

  it(
    "include those of the ops process, which count its jobs and follow Prometheus's conventions",
    needs('promtool'),
    async () => {
      const { processes } = await openMeasured(brokers);
      const url = `${await addressOf(processes.start('ops'))}/metrics`;
      const metrics = await scrape(url);
      expect(metrics.sum('milepost_up')).toBe(1);
      expect(metrics.complaints()).toBe('');
      // The worker starts an audit immediately.
      const jobs = async (figure: string, labels: Record<string, string>) =>
        (await scrape(url)).sum(`milepost_job${figure}`, { kind: 'audit', ...labels });
      await expect.poll(async () => await jobs('_duration_seconds_count', { outcome: 'completed' })).toBe(1);
      expect(await jobs('s_running', {})).toBe(0);
    },
  );
});
