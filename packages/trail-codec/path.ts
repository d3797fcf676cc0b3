/** The bytes of a path: version (8 bits), point count, columns timestamp, latitude, longitude, course, in one bit stream. */

import { BitReader } from './bit-reader.ts';
import { BitWriter } from './bit-writer.ts';
import {
  maximumColumnBytes,
  readColumn,
  startColumns,
  writeColumn,
  writeDecimals,
  writeFormerColumn,
} from './column.ts';
import { type Column, type Columns, toValues } from './columns.ts';
import { TrailPathDamagedError } from './errors.ts';
import { MAXIMUM_TRAIL_POINTS, type TrailPoint } from './trail-point.ts';

/** What takes the other versions to read can be read as this one. */
export const NEWEST_VERSION = 3;

// Buffers are kept between calls: they are larger than a standard trip's whole encoding is allowed to cost. Encoding and
// decoding never wait for anything, so no two calls use them at once.
const writer = new BitWriter();
const timestamps = new Float64Array(MAXIMUM_TRAIL_POINTS);
const latitudes = new Float64Array(MAXIMUM_TRAIL_POINTS);
const longitudes = new Float64Array(MAXIMUM_TRAIL_POINTS);
const courses = new Float64Array(MAXIMUM_TRAIL_POINTS);
const emptyColumn = (): Column => ({
  numbers: new Float64Array(MAXIMUM_TRAIL_POINTS),
  decimals: 0,
  smallest: 0,
  largest: 0,
});
const columns: Columns = {
  count: 0,
  timestamp: emptyColumn(),
  latitude: emptyColumn(),
  longitude: emptyColumn(),
  course: emptyColumn(),
};

/** A column as whole numbers: value = integers[i] / 10^decimals. */
interface IntegerColumn {
  readonly integers: Float64Array;
  readonly decimals: number;
}

function startPath(count: number): void {
  writer.reset(16 + 4 * maximumColumnBytes(count));
  // The version, which is known when all is written, has its place.
  writer.write(0, 8);
  writer.writeNumber(count);
  startColumns();
}

function finishPath(version: number): Uint8Array {
  const bytes = writer.finish();
  bytes[0] = version;
  return bytes;
}

/**
 * Encodes 1 to 50,000 points given as integers with the fewest decimals that give every value back: the bytes are those
 * of `encodeColumns` for the same values. Null when a column cannot be written so; `encodeColumns` then can.
 */
export function encodeIntegerColumns(
  timestamp: IntegerColumn,
  latitude: IntegerColumn,
  longitude: IntegerColumn,
  course: IntegerColumn,
  count: number,
): Uint8Array | null {
  startPath(count);
  let version = 1;
  for (const column of [timestamp, latitude, longitude, course]) {
    const takes = writeDecimals(writer, column.integers, column.decimals, count, column === course);
    if (takes === null) return null;
    version = Math.max(version, takes);
  }
  return finishPath(version);
}

/** Encodes at most 50,000 points. */
export function encodeColumns(points: readonly TrailPoint[]): Uint8Array {
  for (let index = 0; index < points.length; index++) {
    const point = points[index];
    if (point === undefined) continue;
    timestamps[index] = point.timestamp;
    latitudes[index] = point.latitude;
    longitudes[index] = point.longitude;
    courses[index] = point.course;
  }
  return encodeValues(points.length, writeColumn);
}

/** Encodes decoded columns as it was done before version 3. */
export function encodeFormerly({ count, timestamp, latitude, longitude, course }: Columns): Uint8Array {
  toValues(timestamp, count, timestamps);
  toValues(latitude, count, latitudes);
  toValues(longitude, count, longitudes);
  toValues(course, count, courses);
  return encodeValues(count, writeFormerColumn);
}

function encodeValues(count: number, write: typeof writeColumn): Uint8Array {
  startPath(count);
  let version = 1;
  if (count === 0) return finishPath(version);
  for (const values of [timestamps, latitudes, longitudes, courses]) {
    version = Math.max(version, write(writer, values, count, values === courses));
  }
  return finishPath(version);
}

/** Decodes a path. The result is valid until the next call. Throws TrailPathDamagedError. */
export function decodeColumns(bytes: Uint8Array): Columns {
  const version = bytes[0];
  if (version !== 1 && version !== 2 && version !== 3) {
    throw new TrailPathDamagedError(`A trail path begins with byte 1, 2 or 3, not ${version ?? 'nothing'}.`);
  }
  const reader = new BitReader(bytes, 1);
  const count = reader.readNumber();
  if (count > MAXIMUM_TRAIL_POINTS) {
    throw new TrailPathDamagedError(`The trail path claims ${count} points, more than ${MAXIMUM_TRAIL_POINTS}.`);
  }
  columns.count = count;
  startColumns();
  let needed = 1;
  if (count > 0) {
    for (const column of [columns.timestamp, columns.latitude, columns.longitude, columns.course]) {
      needed = Math.max(needed, readColumn(reader, column, count, version));
    }
    checkTimestamps(columns.timestamp, count);
  }
  reader.finish();
  if (needed !== version) {
    throw new TrailPathDamagedError(`A trail path of version ${version} has columns of version ${needed}.`);
  }
  return columns;
}

function checkTimestamps({ numbers, decimals }: Column, count: number): void {
  for (let index = 0; index < count; index++) {
    if (decimals !== 0 || !Number.isSafeInteger(numbers[index])) {
      throw new TrailPathDamagedError(`Timestamp ${index} is not a whole number of milliseconds.`);
    }
  }
}
