import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { ApiMetrics, readCounter } from './api.ts';

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
  const registry = new Registry();
  let count = 3;
  readCounter(registry, { name: 'requests_total', help: 'The requests.' }, () => count);
  expect(await registry.metrics()).toContain('requests_total 3\n');
  count = 5;
  expect(await registry.metrics()).toContain('requests_total 5\n');
});
