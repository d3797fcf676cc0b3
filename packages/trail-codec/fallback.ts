/**
 * The fallback form, for numbers the compact form cannot give back: the four columns as float64, little-endian, all first
 * bytes together, then all second bytes and so on (signs and exponents hardly vary), deflated.
 */

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { TrailPathDamagedError } from './errors.ts';
import { MAXIMUM_TRAIL_POINTS, type TrailPoint } from './trail-point.ts';

/** The first byte of a path in fallback form. */
export const FALLBACK_VERSION = 2;

const FLOAT_BYTES = 8;
const POINT_BYTES = 4 * FLOAT_BYTES;

export function encodeFallback(points: readonly TrailPoint[]): Uint8Array {
  const count = points.length;
  const planes = new Uint8Array(count * POINT_BYTES);
  const float = new DataView(new ArrayBuffer(FLOAT_BYTES));
  const write = (number: number, value: number) => {
    float.setFloat64(0, value, true);
    for (let byte = 0; byte < FLOAT_BYTES; byte++) planes[byte * 4 * count + number] = float.getUint8(byte);
  };
  for (const [index, point] of points.entries()) {
    write(index, point.timestamp);
    write(count + index, point.latitude);
    write(2 * count + index, point.longitude);
    write(3 * count + index, point.course);
  }
  const deflated = deflateRawSync(planes);
  const bytes = new Uint8Array(1 + deflated.length);
  bytes[0] = FALLBACK_VERSION;
  bytes.set(deflated, 1);
  return bytes;
}

/** Reads a path in fallback form. Throws TrailPathDamagedError. */
export function decodeFallback(bytes: Uint8Array): TrailPoint[] {
  const planes = inflate(bytes);
  const count = planes.length / POINT_BYTES;
  if (!Number.isInteger(count)) {
    throw new TrailPathDamagedError(
      `${planes.length} bytes of columns are no whole number of points of ${POINT_BYTES} bytes.`,
    );
  }
  const float = new DataView(new ArrayBuffer(FLOAT_BYTES));
  const read = (number: number) => {
    for (let byte = 0; byte < FLOAT_BYTES; byte++) float.setUint8(byte, planes[byte * 4 * count + number] ?? 0);
    return float.getFloat64(0, true);
  };
  return Array.from({ length: count }, (_, index) => {
    const point = {
      timestamp: read(index),
      latitude: read(count + index),
      longitude: read(2 * count + index),
      course: read(3 * count + index),
    };
    if (!Number.isSafeInteger(point.timestamp) || !Object.values(point).every(Number.isFinite)) {
      throw new TrailPathDamagedError(`Point ${index} has a timestamp or a number that no record can carry.`);
    }
    return point;
  });
}

function inflate(bytes: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(bytes.subarray(1), { maxOutputLength: MAXIMUM_TRAIL_POINTS * POINT_BYTES });
  } catch (error) {
    throw new TrailPathDamagedError('The deflated columns of the trail path cannot be inflated.', { cause: error });
  }
}
