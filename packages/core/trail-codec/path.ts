/**
 * The codec of trail paths is lossless, compact and protected by a checksum. The bytes of a path are a bit stream and a
 * checksum. The stream consists of the format (8 bits), the number of points, and the columns timestamp, latitude,
 * longitude and course.
 */

import { MAX_TRAIL_POINTS, type TrailPoint } from '@milepost/domain/vocabulary';
import { BitReader, BitWriter, checkedContent, DamagedBytesError, withChecksum } from './bit-stream.ts';
import { type Column, ColumnReader, type Columns, ColumnWriter, maxColumnBytes } from './column.ts';
import { columnsToJson } from './json.ts';

const FORMAT = 1;
const FORMAT_BITS = 8;
const HEADER_BYTES = 16;

// The buffers are reused, because allocating them would take longer than encoding a path. Encoding and decoding are
// synchronous, so no two calls use the buffers at the same time.
const writer = new BitWriter();
const timestamps = new Float64Array(MAX_TRAIL_POINTS);
const latitudes = new Float64Array(MAX_TRAIL_POINTS);
const longitudes = new Float64Array(MAX_TRAIL_POINTS);
const courses = new Float64Array(MAX_TRAIL_POINTS);
const emptyColumn = (): Column => ({ numbers: new Float64Array(MAX_TRAIL_POINTS), decimals: 0, min: 0, max: 0 });
const columns: Columns = {
  count: 0,
  timestamp: emptyColumn(),
  latitude: emptyColumn(),
  longitude: emptyColumn(),
  course: emptyColumn(),
};

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
 */
export function encodeIntegers(
  timestamp: IntegerColumn,
  latitude: IntegerColumn,
  longitude: IntegerColumn,
  course: IntegerColumn,
  count: number,
): Uint8Array | null {
  const columnWriter = startPath(count);
  for (const column of [timestamp, latitude, longitude, course]) {
    if (!columnWriter.writeIntegers(column.integers, column.decimals, column === course)) return null;
  }
  return withChecksum(writer.finish());
}

/** Decodes a path. The next call overwrites the result. Throws DamagedBytesError. */
function decodeColumns(bytes: Uint8Array): Columns {
  const reader = new BitReader(checkedContent(bytes));
  const format = reader.read(FORMAT_BITS);
  if (format !== FORMAT) {
    throw new DamagedBytesError(`The format of a trail path is ${format}, but only ${FORMAT} is known.`);
  }
  const count = reader.readNumber();
  if (count > MAX_TRAIL_POINTS) {
    throw new DamagedBytesError(`A trail path has ${count} points, more than ${MAX_TRAIL_POINTS}.`);
  }
  columns.count = count;
  if (count > 0) {
    const columnReader = new ColumnReader(reader, count);
    columnReader.read(columns.timestamp);
    columnReader.read(columns.latitude);
    columnReader.read(columns.longitude);
    columnReader.read(columns.course);
    checkTimestamps(columns.timestamp, count);
  }
  reader.finish();
  return columns;
}

function checkTimestamps({ numbers, decimals }: Column, count: number): void {
  for (let index = 0; index < count; index++) {
    if (decimals !== 0 || !Number.isSafeInteger(numbers[index])) {
      throw new DamagedBytesError(`Timestamp ${index} is not a whole number of milliseconds.`);
    }
  }
}

/** Decodes the bytes of `encodeTrailPath`. Throws DamagedBytesError. Exported for tests. */
export function decodeTrailPath(bytes: Uint8Array): TrailPoint[] {
  const { count, timestamp, latitude, longitude, course } = decodeColumns(bytes);
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

/**
 * Returns the text of `JSON.stringify(decodeTrailPath(bytes))` without creating the points. Unlike JSON.stringify, it
 * writes -0 as `-0`, so that JSON.parse returns every number bit for bit. Throws DamagedBytesError.
 */
export function trailPathToJson(bytes: Uint8Array): string {
  return columnsToJson(decodeColumns(bytes));
}
