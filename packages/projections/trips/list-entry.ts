import fastJson from 'fast-json-stringify';
import Type from 'typebox';
import { TripListEntry } from '../resources.ts';

/**
 * A trip's JSON as the table holds it: without the text that all trips of a driver have in common. That is what stands before
 * the trip's id and at the end, and the driver, in whose place a line end stands. JSON has no other one.
 */
const HEAD = '{"trip_id":"';
const TAIL = '}}';
const DRIVER = '","driver_id":';
const DRIVER_PLACE = '\n';

/** What stands between two entries of a list, for `string_agg`. */
export const BETWEEN_ENTRIES = `${TAIL},${HEAD}`;

const AsStored = Type.Omit(TripListEntry, ['trip_id', 'driver_id']);
const render = fastJson(AsStored);
const POSITIONS = ['start_latitude', 'start_longitude', 'end_latitude', 'end_longitude'] as const;

/** The entry as it is stored. */
export function packListEntry({ trip_id, ...row }: Omit<TripListEntry, 'driver_id'>): string {
  let rest = render(row).slice(1, -TAIL.length);
  // The renderer, as JSON.stringify, loses the sign of -0.
  for (const name of POSITIONS) {
    if (Object.is(row[name], -0)) rest = rest.replace(`"${name}":0`, `"${name}":-0`);
  }
  return trip_id + DRIVER_PLACE + rest;
}

/** The JSON of entries of one driver, which `BETWEEN_ENTRIES` parts, separated by commas. */
export function unpackListEntries(packed: string, driverId: string): string {
  // Not `replaceAll`: a driver's id may hold what it takes for a pattern.
  const entries = packed.split(DRIVER_PLACE).join(`${DRIVER}${JSON.stringify(driverId)},`);
  return `${HEAD}${entries}${TAIL}`;
}

/** SQL of the JSON, as text, of the entry of a row of `table`. */
export function listEntryJson(table: string): string {
  const driver = `concat('${DRIVER}', to_json(${table}.driver_id), ',')`;
  return `concat('${HEAD}', replace(${table}.list_entry, E'\\n', ${driver}), '${TAIL}')`;
}
