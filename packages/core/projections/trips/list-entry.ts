import { EVENT_SUMMARY_FIELDS } from '@milepost/domain/vocabulary';
import Type from 'typebox';
import { TripListEntry } from '../resources.ts';

/**
 * Three parts are the same in the JSON of all of a driver's trips: the driver, the text before the trip's id, and the
 * text at the end. The table therefore does not store them. In place of the driver, it stores a line feed, which occurs
 * nowhere else in the JSON.
 */
const HEAD = '{"trip_id":"';
const TAIL = '}}';
const DRIVER = '","driver_id":';
const DRIVER_PLACE = '\n';

/** The separator between the entries in a list, for `string_agg`. */
export const BETWEEN_ENTRIES = `${TAIL},${HEAD}`;

const FIGURES = Object.keys(Type.Omit(TripListEntry, ['trip_id', 'driver_id', 'event_summary']).properties);
const members = (names: readonly string[]) => names.map((name) => `"${name}":%s`).join(',');
const VALUES = [...FIGURES, ...EVENT_SUMMARY_FIELDS].join(', ');

/** An SQL expression that builds an entry's stored form from the columns of a trip's stored event. */
export const LIST_ENTRY = `format(
  E'%s\\n${members(FIGURES)},"event_summary":{${members(EVENT_SUMMARY_FIELDS)}', replace(trip_id::text, '-', ''),
  ${VALUES.replace('insurance_period', `coalesce(insurance_period::text, 'null')`)})`;

/**
 * Returns the JSON of a driver's entries, separated by commas. In `packed`, `BETWEEN_ENTRIES` separates the entries.
 */
export function unpackListEntries(packed: string, driverId: string): string {
  // `replaceAll` is unsuitable, because it would expand replacement patterns in a driver's id.
  const entries = packed.split(DRIVER_PLACE).join(`${DRIVER}${JSON.stringify(driverId)},`);
  return `${HEAD}${entries}${TAIL}`;
}

/** Returns an SQL expression for the JSON text of a row's list entry. `table` is the row's table or alias. */
export function listEntryJson(table: string): string {
  const driver = `concat('${DRIVER}', to_json(${table}.driver_id), ',')`;
  return `concat('${HEAD}', replace(${table}.list_entry, E'\\n', ${driver}), '${TAIL}')`;
}
