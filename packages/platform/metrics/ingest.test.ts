import { expect, it } from 'vitest';
import { IngestMetrics } from './ingest.ts';

it('IngestMetrics counts bytes by partition, and only batches that contain records', async () => {
  const metrics = new IngestMetrics();
  metrics.countBatch({ topic: 'trips', partition: 0 }, 3, 300);
  metrics.countBatch({ topic: 'trips', partition: 0 }, 0, 20);
  metrics.countBatch({ topic: 'trips', partition: 1 }, 5, 500);
  const text = await metrics.registry.metrics();
  expect(text).toContain('milepost_ingest_bytes_total{topic="trips",partition="0"} 320\n');
  expect(text).toContain('milepost_ingest_batch_records_sum 8\nmilepost_ingest_batch_records_count 2\n');
});

it('IngestMetrics shows the lag of the current partitions, if it is known, and the size of the queue', async () => {
  const metrics = new IngestMetrics();
  expect(await metrics.registry.metrics()).toContain('milepost_ingest_queue_bytes 0\n');
  const partitions = [0, 7, null].map((lag, partition) => ({ topic: 'trips', partition, lag }));
  metrics.readAssignment(
    () => partitions,
    () => 512,
  );
  const text = await metrics.registry.metrics();
  expect(text).toContain('milepost_ingest_queue_bytes 512\n');
  expect(text.match(/^milepost_ingest_lag_records.*$/gm)).toEqual([
    'milepost_ingest_lag_records{topic="trips",partition="0"} 0',
    'milepost_ingest_lag_records{topic="trips",partition="1"} 7',
  ]);
});

it('IngestMetrics measures steps in seconds, and counts pauses', async () => {
  const metrics = new IngestMetrics();
  metrics.countStep('store', 250);
  metrics.countStep('store', 500);
  metrics.pauses.inc();
  const text = await metrics.registry.metrics();
  expect(text).toContain('milepost_ingest_step_duration_seconds_sum{step="store"} 0.75\n');
  expect(text).toContain('milepost_ingest_step_duration_seconds_count{step="store"} 2\n');
  expect(text).toContain('milepost_ingest_fetch_pauses_total 1\n');
});
