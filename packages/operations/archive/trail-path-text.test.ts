import { encodeTrailPath } from '@milepost/trail-codec';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { trailPathText } from './trail-path-text.ts';

const number = fc.oneof(
  fc.constantFrom(0, -0, 1e-7, -1e-7, 1e21, 2 ** 53, 5e-324, Number.MAX_VALUE, 0.1 + 0.2, 359.9),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -180_000_000, max: 180_000_000 }).map((value) => value / 1e6),
);
const path = fc.array(
  fc.record({
    timestamp: fc.oneof(fc.constant(-0), fc.maxSafeInteger()),
    latitude: number,
    longitude: number,
    course: number,
  }),
  { maxLength: 6 },
);

it('writes trail paths from which the same bytes are made again, the sign of -0 included', () => {
  fc.assert(
    fc.property(path, (points) => {
      const bytes = encodeTrailPath(points);
      expect(encodeTrailPath(JSON.parse(trailPathText(bytes)))).toEqual(bytes);
    }),
    { numRuns: 2_000 },
  );
});
