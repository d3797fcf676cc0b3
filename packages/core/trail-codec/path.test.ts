import { MAX_TRAIL_POINTS } from '@milepost/domain/vocabulary';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_INTEGER } from './format.ts';
import { trailPathToJson } from './read/json.ts';
import { encodeIntegers, encodeTrailPath } from './write/path.ts';

const FIELDS = ['timestamp', 'latitude', 'longitude', 'course'] as const;
type Field = (typeof FIELDS)[number];
type Point = Record<Field, number>;

function encode(points: readonly Point[]): Uint8Array | null {
  const column = (field: Field) => {
    const integers = new Float64Array(MAX_TRAIL_POINTS);
    for (const [index, point] of points.entries()) integers[index] = point[field];
    return { integers, decimals: 0 };
  };
  return encodeIntegers(FIELDS.map(column), points.length);
}

const integer = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 400 }) },
  { weight: 1, arbitrary: fc.integer({ min: -(2 ** 51), max: 2 ** 51 }) },
  { weight: 1, arbitrary: fc.constantFrom(-MAX_INTEGER, 0, MAX_INTEGER) },
);
const fields = { timestamp: integer, latitude: integer, longitude: integer, course: integer };
const anyPoints = fc.array(fc.record(fields, { noNullPrototype: true }), { minLength: 1, maxLength: 6 });

it('encodeIntegers returns bytes that restore every integer, or null', () => {
  const outcomes = { bytes: 0, null: 0 };
  fc.assert(
    fc.property(anyPoints, (points) => {
      const bytes = encode(points);
      outcomes[bytes === null ? 'null' : 'bytes']++;
      if (bytes === null) return;
      expect(JSON.parse(trailPathToJson(bytes))).toStrictEqual(points);
      expect(bytes).toStrictEqual(encodeTrailPath(points));
    }),
    { numRuns: 2_000 },
  );
  expect(Math.min(outcomes.bytes, outcomes.null)).toBeGreaterThan(100);
});

it.each(FIELDS)('encodeIntegers returns null when a step in the column %s is too large', (field) => {
  const point = { timestamp: 1, latitude: 2, longitude: 3, course: 4 };
  const steps = (...values: number[]) => values.map((value) => ({ ...point, [field]: value }));
  expect(encode(steps(0, MAX_INTEGER))).not.toBeNull();
  expect(encode(steps(-1, MAX_INTEGER))).toBeNull();
  // A later path whose steps are all small enough is encoded as usual.
  expect(encode(steps(5))).toStrictEqual(encodeTrailPath(steps(5)));
});
