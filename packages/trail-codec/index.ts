/**
 * Trail paths as compact bytes, without loss. The first byte is the version of the format: 1 compact, 2 fallback. Bytes
 * once written are stored for good: a new format is a new version, and the old ones stay readable.
 */

import { COMPACT_VERSION, decodeCompact, encodeCompact } from './compact.ts';
import { toPoints } from './compact-path.ts';
import { TrailPathDamagedError } from './errors.ts';
import { decodeFallback, encodeFallback, FALLBACK_VERSION } from './fallback.ts';
import { compactPathToJson } from './json.ts';
import { MAXIMUM_TRAIL_POINTS, type TrailPoint } from './trail-point.ts';

export { TrailPathDamagedError } from './errors.ts';
export { MAXIMUM_TRAIL_POINTS, type TrailPoint } from './trail-point.ts';

/**
 * Encodes a path; every number comes back bit for bit and in its place. Same points, same bytes.
 * All numbers must be finite and timestamps safe integers. Throws a RangeError when there are more than 50,000 points.
 */
export function encodeTrailPath(points: readonly TrailPoint[]): Uint8Array {
  if (points.length > MAXIMUM_TRAIL_POINTS) {
    throw new RangeError(
      `A trail path has ${points.length} points, but at most ${MAXIMUM_TRAIL_POINTS} can be encoded.`,
    );
  }
  return encodeCompact(points) ?? encodeFallback(points);
}

/** Decodes what `encodeTrailPath` returned. Throws TrailPathDamagedError on bytes it cannot have returned. */
export function decodeTrailPath(bytes: Uint8Array): TrailPoint[] {
  return isCompact(bytes) ? toPoints(decodeCompact(bytes)) : decodeFallback(bytes);
}

/** Exactly `JSON.stringify(decodeTrailPath(bytes))`, without making the points. Throws TrailPathDamagedError. */
export function trailPathToJson(bytes: Uint8Array): string {
  return isCompact(bytes) ? compactPathToJson(decodeCompact(bytes)) : JSON.stringify(decodeFallback(bytes));
}

function isCompact(bytes: Uint8Array): boolean {
  const version = bytes[0];
  if (version === COMPACT_VERSION) return true;
  if (version === FALLBACK_VERSION) return false;
  throw new TrailPathDamagedError(
    `A trail path begins with byte ${COMPACT_VERSION} or ${FALLBACK_VERSION}, not ${version}.`,
  );
}
