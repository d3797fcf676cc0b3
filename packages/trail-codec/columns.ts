import type { TrailPoint } from './trail-point.ts';

/** A decoded column: value = numbers[i] / 10^decimals. */
export interface Column {
  readonly numbers: Float64Array;
  decimals: number;
  /** The numbers lie from `smallest` to `largest`; in a raw column, where they need not be whole, that is anywhere. */
  smallest: number;
  largest: number;
}

/** A decoded path before it is made into points. */
export interface Columns {
  count: number;
  readonly timestamp: Column;
  readonly latitude: Column;
  readonly longitude: Column;
  readonly course: Column;
}

export function toPoints(columns: Columns): TrailPoint[] {
  const { count, timestamp, latitude, longitude, course } = columns;
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

/** Writes the column's values into `values`. */
export function toValues({ numbers, decimals }: Column, count: number, values: Float64Array): void {
  const scale = 10 ** decimals;
  for (let index = 0; index < count; index++) values[index] = (numbers[index] ?? 0) / scale;
}
