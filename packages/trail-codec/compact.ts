/** The compact form: point count, then the columns timestamp, latitude, longitude and course, in one bit stream. */

import { BitReader } from './bit-reader.ts';
import { BitWriter } from './bit-writer.ts';
import { maximumColumnBytes, readColumn, writeColumn } from './column.ts';
import type { CompactColumn, CompactPath } from './compact-path.ts';
import { TrailPathDamagedError } from './errors.ts';
import { MAXIMUM_TRAIL_POINTS, type TrailPoint } from './trail-point.ts';

/** The first byte of a path in compact form. */
export const COMPACT_VERSION = 1;

// Buffers are kept between calls: they are larger than a standard trip's whole encoding is allowed to cost. Encoding and
// decoding never wait for anything, so no two calls use them at once.
const writer = new BitWriter();
const timestamps = new Float64Array(MAXIMUM_TRAIL_POINTS);
const latitudes = new Float64Array(MAXIMUM_TRAIL_POINTS);
const longitudes = new Float64Array(MAXIMUM_TRAIL_POINTS);
const courses = new Float64Array(MAXIMUM_TRAIL_POINTS);
const emptyColumn = (): CompactColumn => ({
  integers: new Float64Array(MAXIMUM_TRAIL_POINTS),
  decimals: 0,
  smallest: 0,
  largest: 0,
});
const path: CompactPath = {
  count: 0,
  timestamp: emptyColumn(),
  latitude: emptyColumn(),
  longitude: emptyColumn(),
  course: emptyColumn(),
};

/** The path in compact form, or undefined when that cannot give it back bit for bit. */
export function encodeCompact(points: readonly TrailPoint[]): Uint8Array | undefined {
  const count = points.length;
  writer.reset(16 + 4 * maximumColumnBytes(count));
  writer.write(COMPACT_VERSION, 8);
  writer.writeNumber(count);
  if (count === 0) return writer.finish();
  for (let index = 0; index < count; index++) {
    const point = points[index];
    if (point === undefined) continue;
    timestamps[index] = point.timestamp;
    latitudes[index] = point.latitude;
    longitudes[index] = point.longitude;
    courses[index] = point.course;
  }
  if (!writeColumn(writer, timestamps, count, false)) return undefined;
  if (!writeColumn(writer, latitudes, count, false)) return undefined;
  if (!writeColumn(writer, longitudes, count, false)) return undefined;
  if (!writeColumn(writer, courses, count, true)) return undefined;
  return writer.finish();
}

/** Reads a path in compact form. The result is valid until the next call. Throws TrailPathDamagedError. */
export function decodeCompact(bytes: Uint8Array): CompactPath {
  const reader = new BitReader(bytes, 1);
  const count = reader.readNumber();
  if (count > MAXIMUM_TRAIL_POINTS) {
    throw new TrailPathDamagedError(`The trail path claims ${count} points, more than ${MAXIMUM_TRAIL_POINTS}.`);
  }
  path.count = count;
  if (count > 0) {
    for (const column of [path.timestamp, path.latitude, path.longitude, path.course]) {
      readColumn(reader, column, count);
    }
  }
  reader.finish();
  if (count > 0 && path.timestamp.decimals !== 0) {
    throw new TrailPathDamagedError('The timestamps have decimals, but are whole milliseconds.');
  }
  return path;
}
