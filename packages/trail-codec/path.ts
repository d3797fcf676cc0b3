/** The bytes of a path: version (8 bits), point count, columns timestamp, latitude, longitude, course, in one bit stream. */

import { BitReader } from './bit-reader.ts';
import { BitWriter } from './bit-writer.ts';
import { maximumColumnBytes, readColumn, writeColumn, writeIntegers, writeRawColumn } from './column.ts';
import type { Column, Columns } from './columns.ts';
import { TrailPathDamagedError } from './errors.ts';
import { MAXIMUM_TRAIL_POINTS, type TrailPoint } from './trail-point.ts';

/** The first byte of a path whose columns are all compact. */
const COMPACT_VERSION = 1;
/** The first byte of a path with a raw column or more. */
const FALLBACK_VERSION = 2;

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
export interface IntegerColumn {
  readonly integers: Float64Array;
  readonly decimals: number;
}

function startPath(count: number): void {
  writer.reset(16 + 4 * maximumColumnBytes(count));
  writer.write(COMPACT_VERSION, 8);
  writer.writeNumber(count);
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
  for (const column of [timestamp, latitude, longitude, course]) {
    if (!writeIntegers(writer, column.integers, column.decimals, count, column === course)) return null;
  }
  return writer.finish();
}

/** Encodes at most 50,000 points. */
export function encodeColumns(points: readonly TrailPoint[]): Uint8Array {
  const count = points.length;
  startPath(count);
  if (count === 0) return writer.finish();
  for (let index = 0; index < count; index++) {
    const point = points[index];
    if (point === undefined) continue;
    timestamps[index] = point.timestamp;
    latitudes[index] = point.latitude;
    longitudes[index] = point.longitude;
    courses[index] = point.course;
  }
  let hasRaw = false;
  for (const values of [timestamps, latitudes, longitudes, courses]) {
    if (writeColumn(writer, values, count, values === courses)) continue;
    writeRawColumn(writer, values, count);
    hasRaw = true;
  }
  const bytes = writer.finish();
  if (hasRaw) bytes[0] = FALLBACK_VERSION;
  return bytes;
}

/** Decodes a path. The result is valid until the next call. Throws TrailPathDamagedError. */
export function decodeColumns(bytes: Uint8Array): Columns {
  const version = bytes[0];
  if (version !== COMPACT_VERSION && version !== FALLBACK_VERSION) {
    throw new TrailPathDamagedError(
      `A trail path begins with byte ${COMPACT_VERSION} or ${FALLBACK_VERSION}, not ${version ?? 'nothing'}.`,
    );
  }
  const reader = new BitReader(bytes, 1);
  const count = reader.readNumber();
  if (count > MAXIMUM_TRAIL_POINTS) {
    throw new TrailPathDamagedError(`The trail path claims ${count} points, more than ${MAXIMUM_TRAIL_POINTS}.`);
  }
  columns.count = count;
  let hasRaw = false;
  if (count > 0) {
    for (const column of [columns.timestamp, columns.latitude, columns.longitude, columns.course]) {
      if (readColumn(reader, column, count)) hasRaw = true;
    }
    checkTimestamps(columns.timestamp, count);
  }
  reader.finish();
  if (hasRaw !== (version === FALLBACK_VERSION)) {
    throw new TrailPathDamagedError(`A trail path of version ${version} has ${hasRaw ? 'a' : 'no'} raw column.`);
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
