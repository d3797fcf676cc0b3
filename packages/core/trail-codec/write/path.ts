import { MAX_TRAIL_POINTS, type TrailPoint } from '@milepost/domain/vocabulary';
import { FORMAT, FORMAT_BITS } from '../format.ts';
import { BitWriter, withChecksum } from './bit-writer.ts';
import { ColumnWriter, maxColumnBytes } from './column.ts';

const HEADER_BYTES = 16;

// The buffers are reused, because allocating them would take longer than encoding a path. Encoding is synchronous, so
// no two calls use the buffers at the same time.
const writer = new BitWriter();
const timestamps = new Float64Array(MAX_TRAIL_POINTS);
const latitudes = new Float64Array(MAX_TRAIL_POINTS);
const longitudes = new Float64Array(MAX_TRAIL_POINTS);
const courses = new Float64Array(MAX_TRAIL_POINTS);

/** A column as whole numbers, where value = integers[i] / 10^decimals. */
interface IntegerColumn {
  readonly integers: Float64Array;
  readonly decimals: number;
}

function startPath(count: number): ColumnWriter {
  writer.reset(HEADER_BYTES + 4 * maxColumnBytes(count));
  writer.write(FORMAT, FORMAT_BITS);
  writer.writeNumber(count);
  return new ColumnWriter(writer, count);
}

/**
 * Encodes a path so that decoding returns every number bit for bit. The bytes depend only on the numbers. All numbers
 * must be finite, and timestamps must be safe integers. Throws a RangeError when there are more than 50,000 points.
 */
export function encodeTrailPath(points: readonly TrailPoint[]): Uint8Array {
  if (points.length > MAX_TRAIL_POINTS) {
    throw new RangeError(`A trail path can have at most ${MAX_TRAIL_POINTS} points, not ${points.length}.`);
  }
  const columnWriter = startPath(points.length);
  if (points.length > 0) {
    for (let index = 0; index < points.length; index++) {
      const point = points[index];
      if (point === undefined) continue;
      timestamps[index] = point.timestamp;
      latitudes[index] = point.latitude;
      longitudes[index] = point.longitude;
      courses[index] = point.course;
    }
    columnWriter.writeValues(timestamps, false);
    columnWriter.writeValues(latitudes, false);
    columnWriter.writeValues(longitudes, false);
    columnWriter.writeValues(courses, true);
  }
  return withChecksum(writer.finish());
}

/**
 * Encodes 1 to 50,000 points, which are given as integers with the minimum number of decimals that restores every
 * value. Returns the same bytes as `encodeTrailPath` for the same values; null when a column does not fit this form.
 *
 * @param columns timestamp, latitude, longitude and course
 */
export function encodeIntegers(columns: readonly IntegerColumn[], count: number): Uint8Array | null {
  const columnWriter = startPath(count);
  const course = columns.at(-1);
  for (const column of columns) {
    if (!columnWriter.writeIntegers(column.integers, column.decimals, column === course)) return null;
  }
  return withChecksum(writer.finish());
}
