import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { estimate, MODEL, SMALL_TRIP, STANDARD_TRIP, sizeRows } from './capacity.ts';

const DOCS = join(import.meta.dirname, '../../../docs');
const LOAD = { tripsPerDay: 1_000_000, pointsPerTrip: 300, daysKept: 400, peakFactor: 4 };
const EXAMPLES = [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

it('the figures of the model are those of the benchmarks', () => {
  const text = readFileSync(join(DOCS, 'performance.md'), 'utf8');
  const figureOf = (line: RegExp) => Number(line.exec(text)?.[1]?.replaceAll(',', ''));
  for (const [kind, trip] of Object.entries({ small: SMALL_TRIP, standard: STANDARD_TRIP })) {
    expect(figureOf(new RegExp(`database bytes per ${kind} trip[^|]*\\| ([\\d,]+) bytes`))).toBe(trip.databaseBytes);
    expect(figureOf(new RegExp(`database bytes per ${kind} trip[^|]*\\|[^|]*\\| its JSON: ([\\d,]+)`))).toBe(
      trip.jsonBytes,
    );
    const steady = new RegExp(`${kind} trips, Kafka to readable, steady \\| ([\\d,]+) ± \\d+% trips/s \\| naive`);
    expect(figureOf(steady)).toBe(trip.tripsPerSecond);
  }
  const times = (line: RegExp) => (line.exec(text) ?? []).slice(1).map(Number);
  const timesOf = (trip: typeof SMALL_TRIP) => [
    trip.ingestMicroseconds,
    trip.postgresMicroseconds,
    trip.projectorMicroseconds,
  ];
  expect(
    times(/ingest\s+uses (\d+) micro[^.]*,\s+PostgreSQL\s+uses (\d+), and\s+the projector\s+uses (\d+)\./),
  ).toEqual(timesOf(STANDARD_TRIP));
  const [postgres, ingest, projector] = times(
    /PostgreSQL needs (\d+)\s+micro[^.]*\.\s+Ingest needs another (\d+) microseconds, and the\s+projector another (\d+)\./,
  );
  expect([ingest, postgres, projector]).toEqual(timesOf(SMALL_TRIP));
  expect(figureOf(/replay of all until verified \| ([\d,]+) trips/)).toBe(MODEL.replayedTripsPerSecond);
});

it.each([SMALL_TRIP, STANDARD_TRIP])('the costs of a measured trip are the measured ones: $points points', (trip) => {
  // This rate keeps two processors fully busy. The estimate allows them to be half busy at most, so it needs four.
  const tripsPerDay = trip.tripsPerSecond * 86_400;
  const capacity = estimate({ tripsPerDay, pointsPerTrip: trip.points, daysKept: 1, peakFactor: 1 });
  expect(capacity.peak_trips_per_second).toBeCloseTo(trip.tripsPerSecond);
  expect(capacity.processors).toBe(4);
  expect(capacity.database_gigabytes).toBeCloseTo((2 * tripsPerDay * trip.databaseBytes) / 1e9);
});

it('a larger load never needs fewer resources', () => {
  const load = fc.record({
    tripsPerDay: fc.integer({ min: 1, max: 1e9 }),
    pointsPerTrip: fc.integer({ min: 0, max: 20_000 }),
    daysKept: fc.integer({ min: 1, max: 4_000 }),
    peakFactor: fc.integer({ min: 1, max: 24 }),
  });
  fc.assert(
    fc.property(load, fc.constantFrom('tripsPerDay', 'pointsPerTrip', 'daysKept', 'peakFactor'), (small, name) => {
      // Lanes work in parallel, so more lanes shorten a replay.
      const { replay_hours: _, ...before } = estimate(small);
      const after = estimate({ ...small, [name]: small[name] * 2 });
      for (const [resource, amount] of Object.entries(before)) {
        expect(Reflect.get(after, resource), resource).toBeGreaterThanOrEqual(amount * (1 - 1e-9));
      }
      expect(after.replay_hours).toBeLessThanOrEqual(12);
    }),
  );
});

it('docs/scale.md shows the estimates for some loads', async () => {
  const columns = EXAMPLES.map((tripsPerDay) => sizeRows(estimate({ ...LOAD, tripsPerDay })));
  const names = columns[0]?.map(([name]) => name) ?? [];
  const header = ['trips a day', ...EXAMPLES.map((trips) => trips.toLocaleString('en-US'))];
  const rows = names.map((name, row) => [name, ...columns.map((column) => column[row]?.[1] ?? '')]);
  const lines = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const table = lines.join('\n').replaceAll(' --- ', '---');
  expect(readFileSync(join(DOCS, 'scale.md'), 'utf8')).toContain(table);
});
