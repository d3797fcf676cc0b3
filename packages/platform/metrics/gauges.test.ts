import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { addGauges } from './gauges.ts';

it('a gauge has no series for what the process no longer reads, such as a partition that it has lost', async () => {
  const registry = new Registry();
  let rows = [
    { partition: 0, lag: 5 },
    { partition: 1, lag: 7 },
  ];
  addGauges(registry, '', ['partition'], () => rows, { lag: 'The lag.' });
  expect(await registry.metrics()).toContain('lag{partition="0"} 5\nlag{partition="1"} 7\n');
  rows = [{ partition: 1, lag: 6 }];
  const text = await registry.metrics();
  expect(text).toContain('lag{partition="1"} 6\n');
  expect(text).not.toContain('partition="0"');
});

it('gauges of the same rows show 0, omit only figures without a value, and are read together', async () => {
  const registry = new Registry();
  let reads = 0;
  const rows = async () => {
    reads += 1;
    return [
      { topic: 'trips', lag: 0, age: null },
      { topic: null, lag: reads, age: reads },
    ];
  };
  addGauges(registry, 'milepost_source_', ['topic'], rows, { lag: 'The lag.', age: 'The age.' });
  for (const read of [1, 2]) {
    const samples = (await registry.metrics()).match(/^milepost_.*$/gm);
    expect(samples).toEqual([
      'milepost_source_lag{topic="trips"} 0',
      `milepost_source_lag{topic=""} ${read}`,
      `milepost_source_age{topic=""} ${read}`,
    ]);
  }
});
