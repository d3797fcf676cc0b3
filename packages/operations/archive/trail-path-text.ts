import { decodeTrailPath, type TrailPoint, trailPathToJson } from '@milepost/trail-codec';

/** First byte of a path without any number that only the codec's fallback form can keep, such as -0. */
const COMPACT = 1;

/** JSON.stringify writes -0 as 0, which is another content. */
function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

function pointText({ timestamp, latitude, longitude, course }: TrailPoint): string {
  return `{"timestamp":${numberText(timestamp)},"latitude":${numberText(latitude)},"longitude":${numberText(longitude)},"course":${numberText(course)}}`;
}

/** The JSON of a stored trail path, from which every number is parsed back bit for bit. Throws TrailPathDamagedError. */
export function trailPathText(bytes: Uint8Array): string {
  if (bytes[0] === COMPACT) return trailPathToJson(bytes);
  return `[${decodeTrailPath(bytes).map(pointText).join(',')}]`;
}
