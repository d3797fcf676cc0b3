import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { readGauge, type Sample } from './read-metrics.ts';

it('a gauge has no series for what the process no longer reads, such as a partition that it has lost', async () => {
  const registry = new Registry();
  let samples: Sample[] = [
    [5, { partition: 0 }],
    [7, { partition: 1 }],
  ];
  readGauge(registry, { name: 'lag', help: 'The lag.', labelNames: ['partition'], read: () => samples });
  expect(await registry.metrics()).toContain('lag{partition="0"} 5\nlag{partition="1"} 7\n');
  samples = [[6, { partition: 1 }]];
  const text = await registry.metrics();
  expect(text).toContain('lag{partition="1"} 6\n');
  expect(text).not.toContain('partition="0"');
});
