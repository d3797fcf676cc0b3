import type { SimulatedRecord } from '@milepost/sample-fleet';
import { describe, expect, it } from 'vitest';
import { batches } from './batches.ts';

function record(topic: 'trips' | 'drivers', value: string): SimulatedRecord {
  return { topic, key: 'k', value };
}

describe('batches for Kafka', () => {
  const long = 'é'.repeat(150);

  it('stay below the limit in bytes, not in characters', () => {
    const all = [record('trips', long), record('trips', long)];
    expect([...batches(all, 600)]).toHaveLength(2);
    expect([...batches(all, 900)]).toHaveLength(1);
  });

  it('contain all records in order, and never mix topics', () => {
    const all = [record('drivers', '1'), record('trips', '2'), record('trips', long), record('drivers', '3')];
    const made = [...batches(all, 300)];
    expect(made.flat()).toEqual(all);
    expect(made.every((batch) => batch.every(({ topic }) => topic === batch[0]?.topic))).toBe(true);
  });

  it('contain an oversized record alone, so that the broker refuses it', () => {
    expect([...batches([record('trips', long)], 10)]).toHaveLength(1);
  });
});
