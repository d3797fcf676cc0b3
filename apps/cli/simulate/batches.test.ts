import type { SimulatedRecord } from '@milepost/sample-fleet';
import { expect, it } from 'vitest';
import { batches } from './batches.ts';

const record = (topic: 'trips' | 'drivers', value: string): SimulatedRecord => ({ topic, key: 'k', value });
const long = 'é'.repeat(150);

it('batches for Kafka stay below the limit in bytes, unless they consist of a single larger record', () => {
  const all = [record('trips', long), record('trips', long)];
  expect([900, 600, 10].map((limit) => [...batches(all, limit)].length)).toEqual([1, 2, 2]);
});

it('batches for Kafka contain all records in order, and never mix topics', () => {
  const all = [record('drivers', '1'), record('trips', '2'), record('trips', long), record('drivers', '3')];
  const made = [...batches(all, 300)];
  expect(made.flat()).toEqual(all);
  expect(made.every((batch) => batch.every(({ topic }) => topic === batch[0]?.topic))).toBe(true);
});
