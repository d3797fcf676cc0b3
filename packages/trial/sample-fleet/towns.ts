import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';

/** The towns where the fleet's drivers live. */
export const TOWNS = [
  { latitude: 39.983, longitude: -82.985, timeZone: 'America/New_York' },
  { latitude: 33.789, longitude: -84.388, timeZone: 'America/New_York' },
  { latitude: 35.227, longitude: -80.843, timeZone: 'America/New_York' },
  { latitude: 32.815, longitude: -96.872, timeZone: 'America/Chicago' },
  { latitude: 36.165, longitude: -86.784, timeZone: 'America/Chicago' },
  { latitude: 39.099, longitude: -94.578, timeZone: 'America/Chicago' },
  { latitude: 39.739, longitude: -104.99, timeZone: 'America/Denver' },
  { latitude: 33.448, longitude: -112.074, timeZone: 'America/Phoenix' },
  { latitude: 38.581, longitude: -121.494, timeZone: 'America/Los_Angeles' },
];

const offsets: Record<string, number> = {};

/**
 * Returns the offset of `timeZone` from UTC on the local day `day` (days since 1970), in milliseconds. The offset
 * around noon is used for the whole day, even if the clocks change during the night.
 */
export function localOffset(timeZone: string, day: number): number {
  // At 18:00 UTC, the local time is between 08:00 and 14:00 everywhere in the United States. The local day is therefore
  // the same as in UTC, and any clock change on that day has already happened.
  const time = day * MILLISECONDS_PER_DAY + 18 * 3_600_000;
  offsets[`${timeZone} ${day}`] ??= Date.parse(`${new Date(time).toLocaleString('sv-SE', { timeZone })}Z`) - time;
  return offsets[`${timeZone} ${day}`] ?? 0;
}
