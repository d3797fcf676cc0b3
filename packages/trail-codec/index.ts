/**
 * Trail paths as compact bytes, without loss. The first byte is the version of the format: 1 whole numbers with decimals, 2
 * with columns of doubles as they are, 3 with what numbers of real devices have in common. Bytes once written are stored for
 * good: a new format is a new version, and the old ones stay readable.
 */

import { toPoints } from './columns.ts';
import { columnsToJson } from './json.ts';
import { decodeColumns, encodeColumns, encodeFormerly, NEWEST_VERSION } from './path.ts';
import { MAXIMUM_TRAIL_POINTS, type TrailPoint } from './trail-point.ts';

export { scanTrailPath } from './scan.ts';

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

/**
 * What stands for a path in hashes, whatever the version of its bytes: those that it took before version 3. Throws
 * TrailPathDamagedError.
 */
export function hashedTrailPath(bytes: Uint8Array): Uint8Array {
  return bytes[0] === NEWEST_VERSION ? encodeFormerly(decodeColumns(bytes)) : bytes;
}

/** Decodes what `encodeTrailPath` returned. Throws TrailPathDamagedError on bytes it cannot have returned. Exported for tests. */
export function decodeTrailPath(bytes: Uint8Array): TrailPoint[] {
  return toPoints(decodeColumns(bytes));
}

/**
 * `JSON.stringify(decodeTrailPath(bytes))`, without making the points, and with -0 as `-0`: every number is parsed back bit
 * for bit. Throws TrailPathDamagedError.
 */
export function trailPathToJson(bytes: Uint8Array): string {
  return columnsToJson(decodeColumns(bytes));
}
