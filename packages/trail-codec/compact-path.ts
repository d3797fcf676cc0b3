import type { TrailPoint } from './trail-point.ts';

/** A column of whole numbers: value = integers[i] / 10^decimals, all of them from `smallest` to `largest`. */
export interface CompactColumn {
  readonly integers: Float64Array;
  decimals: number;
  smallest: number;
  largest: number;
}

/** A decoded path before it is made into points. */
export interface CompactPath {
  count: number;
  readonly timestamp: CompactColumn;
  readonly latitude: CompactColumn;
  readonly longitude: CompactColumn;
  readonly course: CompactColumn;
}

export function toPoints(path: CompactPath): TrailPoint[] {
  const { count, timestamp, latitude, longitude, course } = path;
  const latitudeScale = 10 ** latitude.decimals;
  const longitudeScale = 10 ** longitude.decimals;
  const courseScale = 10 ** course.decimals;
  const points: TrailPoint[] = [];
  for (let index = 0; index < count; index++) {
    points.push({
      timestamp: timestamp.integers[index] ?? 0,
      latitude: (latitude.integers[index] ?? 0) / latitudeScale,
      longitude: (longitude.integers[index] ?? 0) / longitudeScale,
      course: (course.integers[index] ?? 0) / courseScale,
    });
  }
  return points;
}
