/** The codec of trail paths, which is lossless, compact and protected by a checksum. `path.ts` describes the format. */

import { MAX_TRAIL_POINTS, type TrailPoint } from '@milepost/domain/vocabulary';
import type { Columns } from './column.ts';
import { columnsToJson } from './json.ts';
import { decodeColumns, encodePoints } from './path.ts';

export { scanTrailPath } from './scan.ts';

/**
 * Encodes a path so that decoding returns every number bit for bit. The bytes depend only on the numbers. All numbers
 * must be finite, and timestamps must be safe integers. Throws a RangeError when there are more than 50,000 points.
 */
export function encodeTrailPath(points: readonly TrailPoint[]): Uint8Array {
  if (points.length > MAX_TRAIL_POINTS) {
    throw new RangeError(`A trail path can have at most ${MAX_TRAIL_POINTS} points, not ${points.length}.`);
  }
  return encodePoints(points);
}

/** Decodes the bytes of `encodeTrailPath`. Throws DamagedBytesError. Exported for tests. */
export function decodeTrailPath(bytes: Uint8Array): TrailPoint[] {
  return toPoints(decodeColumns(bytes));
}

/**
 * Returns the text of `JSON.stringify(decodeTrailPath(bytes))` without creating the points. Unlike JSON.stringify, it
 * writes -0 as `-0`, so that JSON.parse returns every number bit for bit. Throws DamagedBytesError.
 */
export function trailPathToJson(bytes: Uint8Array): string {
  return columnsToJson(decodeColumns(bytes));
}

function toPoints({ count, timestamp, latitude, longitude, course }: Columns): TrailPoint[] {
  const latitudeScale = 10 ** latitude.decimals;
  const longitudeScale = 10 ** longitude.decimals;
  const courseScale = 10 ** course.decimals;
  const points: TrailPoint[] = [];
  for (let index = 0; index < count; index++) {
    points.push({
      timestamp: timestamp.numbers[index] ?? 0,
      latitude: (latitude.numbers[index] ?? 0) / latitudeScale,
      longitude: (longitude.numbers[index] ?? 0) / longitudeScale,
      course: (course.numbers[index] ?? 0) / courseScale,
    });
  }
  return points;
}
