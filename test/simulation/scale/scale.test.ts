import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimate, type Load } from '../../../apps/cli/size/capacity.ts';
import { simulateDay } from './day.ts';
import { growthTable } from './growth.ts';

const SCALE = readFileSync(join(import.meta.dirname, '../../../docs/scale.md'), 'utf8');
/**
 * Trips that are small and kept for only a day need several lanes because of their rate, not because of their disk
 * space.
 */
const FAST: Load = { tripsPerDay: 1_000_000_000, pointsPerTrip: 10, daysKept: 1, peakFactor: 4 };
const KEPT: Load = { tripsPerDay: 10_000_000, pointsPerTrip: 300, daysKept: 400, peakFactor: 4 };

describe('a simulated day with a busiest hour and a pause', () => {
  it('is sustained with the resources that `milepost size` recommends, whatever the load', () => {
    const load = fc.record({
      tripsPerDay: fc.integer({ min: 1, max: 10_000_000_000 }),
      pointsPerTrip: fc.integer({ min: 0, max: 2_000 }),
      daysKept: fc.integer({ min: 1, max: 4_000 }),
      peakFactor: fc.integer({ min: 1, max: 24 }),
    });
    fc.assert(
      fc.property(load, (each) => {
        expect(simulateDay(estimate(each), each)).toMatchObject({ isSustained: true });
      }),
      { examples: [[FAST], [KEPT]] },
    );
  });

  it.each([
    { resource: 'lanes', limit: 'folds of the lanes', load: FAST },
    { resource: 'lanes', limit: 'disk space of the lanes', load: KEPT },
    { resource: 'ingest_processes', limit: 'ingest processes', load: FAST },
    { resource: 'partitions', limit: 'ingest processes', load: FAST },
    { resource: 'projector_processes', limit: 'projector processes', load: FAST },
    { resource: 'processors', limit: 'processors', load: FAST },
  ] as const)('is not sustained with too few $resource, and names the $limit', ({ resource, limit, load }) => {
    const recommended = estimate(load);
    const tooFew = Math.floor(recommended[resource] * 0.2);
    expect(simulateDay({ ...recommended, [resource]: tooFew }, load)).toMatchObject({ limit, isSustained: false });
  });
});

it('docs/scale.md shows what sustains each load', () => {
  expect(SCALE).toContain(growthTable());
});
