import { expect, it } from 'vitest';
import { ProjectorMetrics } from './projector.ts';

it('ProjectorMetrics counts the stored events and the seconds of each batch', async () => {
  const metrics = new ProjectorMetrics();
  metrics.countBatch({ projection: 'trips', events: 10, milliseconds: 250 });
  metrics.countBatch({ projection: 'trips', events: 30, milliseconds: 500 });
  const text = await metrics.registry.metrics();
  expect(text).toContain('milepost_projector_batch_events_sum{projection="trips"} 40\n');
  expect(text).toContain('milepost_projector_batch_events_count{projection="trips"} 2\n');
  expect(text).toContain('milepost_projector_batch_duration_seconds_sum{projection="trips"} 0.75\n');
});
