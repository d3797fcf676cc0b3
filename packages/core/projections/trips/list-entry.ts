import fastJson from 'fast-json-stringify';
import Type from 'typebox';
import { TripListEntry } from '../resources.ts';

/**
 * All trips of a driver share some JSON text: the text before the trip's id, the text at the end, and the driver. The
 * table does not store this text. The driver id is replaced by a line feed. The JSON contains no other line feed.
 */
const HEAD = '{"trip_id":"';
const TAIL = '}}';
const DRIVER = '","driver_id":';
const DRIVER_PLACE = '\n';

/** The separator of the entries of a list, for `string_agg`. */
export const BETWEEN_ENTRIES = `${TAIL},${HEAD}`;

const AsStored = Type.Omit(TripListEntry, ['trip_id', 'driver_id']);
const render = fastJson(AsStored);
const POSITIONS = ['start_latitude', 'start_longitude', 'end_latitude', 'end_longitude'] as const;

/** Returns the stored form of an entry. */
export function packListEntry({ trip_id, ...row }: Omit<TripListEntry, 'driver_id'>): string {
  let rest = render(row).slice(1, -TAIL.length);
  // Like JSON.stringify, the renderer drops the sign of -0.
  for (const name of POSITIONS) {
    if (Object.is(row[name], -0)) rest = rest.replace(`"${name}":0`, `"${name}":-0`);
  }
  return trip_id + DRIVER_PLACE + rest;
}

/** Returns the JSON of a driver's entries, separated by commas. `BETWEEN_ENTRIES` separates the stored ones. */
export function unpackListEntries(packed: string, driverId: string): string {
  // `replaceAll` is unsuitable, because a driver's id may contain its replacement patterns.
  const entries = packed.split(DRIVER_PLACE).join(`${DRIVER}${JSON.stringify(driverId)},`);
  return `${HEAD}${entries}${TAIL}`;
}

/** Returns an SQL expression for the JSON text of a row's list entry. `table` is the row's table or alias. */
export function listEntryJson(table: string): string {
  const driver = `concat('${DRIVER}', to_json(${table}.driver_id), ',')`;
  return `concat('${HEAD}', replace(${table}.list_entry, E'\\n', ${driver}), '${TAIL}')`;
}
