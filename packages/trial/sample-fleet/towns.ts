/** The towns where the fleet's drivers live, and their local time. */

import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';

export interface Town {
  name: string;
  latitude: number;
  longitude: number;
  timeZone: string;
}

export const TOWNS = [
  { name: 'Columbus', latitude: 39.983, longitude: -82.985, timeZone: 'America/New_York' },
  { name: 'Atlanta', latitude: 33.789, longitude: -84.388, timeZone: 'America/New_York' },
  { name: 'Charlotte', latitude: 35.227, longitude: -80.843, timeZone: 'America/New_York' },
  { name: 'Dallas', latitude: 32.815, longitude: -96.872, timeZone: 'America/Chicago' },
  { name: 'Nashville', latitude: 36.165, longitude: -86.784, timeZone: 'America/Chicago' },
  { name: 'Kansas City', latitude: 39.099, longitude: -94.578, timeZone: 'America/Chicago' },
  { name: 'Denver', latitude: 39.739, longitude: -104.99, timeZone: 'America/Denver' },
  { name: 'Phoenix', latitude: 33.448, longitude: -112.074, timeZone: 'America/Phoenix' },
  { name: 'Sacramento', latitude: 38.581, longitude: -121.494, timeZone: 'America/Los_Angeles' },
] as const satisfies readonly Town[];

const offsets = new Map<string, number>();

/**
 * Returns the offset of `timeZone` from UTC on the local day `day` (days since 1970), in milliseconds. The offset
 * around noon is used for the whole day, even if the clocks change in the night.
 */
export function localOffset(timeZone: string, day: number): number {
  const key = `${timeZone} ${day}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  // At 18:00 UTC, the local time is between 08:00 and 14:00 everywhere in the United States, so the local day is the
  // same, and the clocks have already changed if they change on that day.
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(
    day * MILLISECONDS_PER_DAY + 18 * 3_600_000,
  );
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
  const match = /^GMT([+-])(\d\d):(\d\d)$/.exec(name);
  if (!match) throw new Error(`The time zone ${timeZone} has the offset "${name}", where GMT-hh:mm is expected.`);
  const offset = (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) * 60_000;
  offsets.set(key, offset);
  return offset;
}
