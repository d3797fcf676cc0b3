import { expect, it } from 'vitest';
import { ApiMetrics } from './api.ts';

it("ApiMetrics shows the standby's delay, once it is known, for each lane that is read from the standby", async () => {
  const metrics = new ApiMetrics();
  let standby: { lanes: number[]; delaySeconds: number | null } = { lanes: [0, 2], delaySeconds: null };
  metrics.readStandby(() => standby);
  const delays = async () => (await metrics.registry.metrics()).match(/^milepost_standby_delay_seconds.*$/gm);
  expect(await delays()).toBeNull();
  standby = { lanes: [0, 2], delaySeconds: 0 };
  expect(await delays()).toEqual([
    'milepost_standby_delay_seconds{lane="0"} 0',
    'milepost_standby_delay_seconds{lane="2"} 0',
  ]);
});

it('a counter shows the current count, however often it is scraped', async () => {
  const metrics = new ApiMetrics();
  const figures = { admitted: 3, refused: 0, running: 0, waiting: 0, concurrency: 1 };
  metrics.readAdmission(() => figures);
  expect(await metrics.registry.metrics()).toContain('milepost_http_requests_admitted_total 3\n');
  figures.admitted = 5;
  expect(await metrics.registry.metrics()).toContain('milepost_http_requests_admitted_total 5\n');
});
