/**
 * Trail paths as compact bytes, without loss. The first byte is the version of the format: 1 compact, 2 the fallback for
 * numbers that the compact form cannot give back. Bytes once written are stored for good: a new format is a new version,
 * and the old ones stay readable.
 */

import { toPoints } from './columns.ts';
import { columnsToJson } from './json.ts';
import { decodeColumns, encodeColumns } from './path.ts';
import { MAXIMUM_TRAIL_POINTS, type TrailPoint } from './trail-point.ts';

export { TrailPathDamagedError } from './errors.ts';
export { type ScannedTrailPath, scanTrailPath } from './scan.ts';
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
  return encodeColumns(points);
}

/** Decodes what `encodeTrailPath` returned. Throws TrailPathDamagedError on bytes it cannot have returned. */
export function decodeTrailPath(bytes: Uint8Array): TrailPoint[] {
  return toPoints(decodeColumns(bytes));
}

/** Exactly `JSON.stringify(decodeTrailPath(bytes))`, without making the points. Throws TrailPathDamagedError. */
export function trailPathToJson(bytes: Uint8Array): string {
  return columnsToJson(decodeColumns(bytes));
}
