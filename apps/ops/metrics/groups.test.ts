import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { addGauges } from './groups.ts';

it('addGauges shows 0, and omits only figures without a value', async () => {
  const registry = new Registry();
  const rows = [
    { topic: 'trips', lag: 0, age: null },
    { topic: null, lag: 7, age: 1.5 },
  ];
  addGauges(registry, 'milepost_source_', ['topic'], rows, { lag: 'The lag.', age: 'The age.' });
  const samples = (await registry.metrics()).match(/^milepost_.*$/gm);
  expect(samples).toEqual([
    'milepost_source_lag{topic="trips"} 0',
    'milepost_source_lag{topic=""} 7',
    'milepost_source_age{topic=""} 1.5',
  ]);
});
