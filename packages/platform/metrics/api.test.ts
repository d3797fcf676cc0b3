import { expect, it } from 'vitest';
import { ApiMetrics } from './api.ts';

it('ApiMetrics measures responses by route and status, in seconds', async () => {
  const metrics = new ApiMetrics();
  metrics.countAnswer({ route: '/api/v1/drivers', status: 200, seconds: 0.25 });
  metrics.countAnswer({ route: '/api/v1/drivers', status: 200, seconds: 0.5 });
  metrics.countAnswer({ route: null, status: 404, seconds: 0 });
  metrics.countRateLimited();
  const text = await metrics.registry.metrics();
  const duration = 'milepost_http_request_duration_seconds';
  expect(text).toContain(`${duration}_sum{route="/api/v1/drivers",status="200"} 0.75\n`);
  expect(text).toContain(`${duration}_count{route="/api/v1/drivers",status="200"} 2\n`);
  expect(text).toContain(`${duration}_count{route="none",status="404"} 1\n`);
  expect(text).toContain('milepost_http_requests_rate_limited_total 1\n');
});

it('ApiMetrics shows each admission figure under its own name', async () => {
  const metrics = new ApiMetrics();
  metrics.readAdmission(() => ({ admitted: 1, refused: 2, running: 3, waiting: 4, concurrency: 5 }));
  const text = await metrics.registry.metrics();
  const figures = [...text.matchAll(/^milepost_http_requests_(\w+) (\d)$/gm)].map(([, name, value]) => [name, value]);
  expect(Object.fromEntries(figures)).toEqual({
    rate_limited_total: '0',
    admitted_total: '1',
    refused_total: '2',
    running: '3',
    waiting: '4',
    running_limit: '5',
  });
});

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
