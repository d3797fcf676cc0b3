import { answerableDates, latestVisibleEnd } from '@milepost/domain/answer-times';
import { addDays, type CalendarDate, startOfDay } from '@milepost/domain/calendar';
import { columns, statement, type Transaction } from '@milepost/postgres';
import Type, { type TProperties, type TSchema } from 'typebox';
import { DailySummary, TripListEntry, WeekTotals } from './resources.ts';
import { unpackListEntries } from './trips/list-entry.ts';

/** A value in a row. Times are in epoch milliseconds, and dates are `YYYY-MM-DD`. */
export type Cell = string | number | boolean | null;

export type Row = Readonly<Record<string, Cell>>;

/** Returns a trip as a row. */
function flatTrip({ event_summary, ...trip }: TripListEntry): Row {
  return { ...trip, ...event_summary };
}

/** Returns a driver's day or week as a row. */
function flatSummary(driver_id: string, { events_summary, focus_area, ...figures }: DailySummary | WeekTotals): Row {
  return { driver_id, ...figures, ...events_summary, ...focus_area };
}

/** `figure` is any number, and `time` is in epoch milliseconds. A kind with `?`, such as `integer?`, may be null. */
export type Kind = 'text' | 'text?' | 'date' | 'time' | 'integer' | 'integer?' | 'figure' | 'figure?' | 'flag';

/** The kinds of the types in the schemas of resources. */
const KINDS: Readonly<Record<string, Kind>> = {
  string: 'text',
  'string,null': 'text?',
  integer: 'integer',
  'integer,null': 'integer?',
  number: 'figure',
  'number,null': 'figure?',
  boolean: 'flag',
};

function kindOf(name: string, schema: TSchema): Kind {
  if ('format' in schema && schema.format === 'date') return 'date';
  if (name.endsWith('_time')) return 'time';
  const kind = 'type' in schema ? KINDS[String(schema.type)] : undefined;
  if (kind === undefined) throw new Error(`The column ${name} has no kind.`);
  return kind;
}

/** Returns the columns of a resource, in order. The members of an object in the resource have columns of their own. */
function columnsOf(properties: TProperties): Record<string, Kind> {
  const entries = Object.entries(properties).flatMap(([name, schema]): [string, Kind][] =>
    Type.IsObject(schema) ? Object.entries(columnsOf(schema.properties)) : [[name, kindOf(name, schema)]],
  );
  return Object.fromEntries(entries);
}

/** The kinds of rows. */
export type Subject = 'trips' | 'days' | 'weeks';

const { date: ofDay, ...day } = DailySummary.properties;
const { start_date, end_date, ...week } = WeekTotals.properties;

/** The columns of each kind of row, in order, with the names and units of the HTTP interface. */
export const COLUMNS: Readonly<Record<Subject, Readonly<Record<string, Kind>>>> = {
  trips: columnsOf(TripListEntry.properties),
  days: { driver_id: 'text', ...columnsOf({ date: ofDay, ...day }) },
  weeks: { driver_id: 'text', ...columnsOf({ start_date, end_date, ...week }) },
};

/** One statement reads at most this many rows, so an export's memory use does not depend on the fleet's size. */
const MAX_PAGE_ROWS = 2_000;

/** Sorts before every driver id, because an id has at least one character. */
const BEFORE_DRIVERS = '';
const MIN_TRIP_ID = '00000000-0000-0000-0000-000000000000';

const FIND_FLEET = statement('export-find-fleet', { known: 'boolean' })`
  SELECT EXISTS (SELECT FROM fleets WHERE fleet_id = $1) AS known`;

// Each page starts after the last key of the previous page, so a later page costs no more than the first. The rows are
// in the order of the primary key.
const READ_TRIPS = statement('export-trips', {
  ...columns('text', 'driver_id', 'trip_id', 'list_entry'),
  trip_start_time: 'number',
})`
  SELECT driver_id, trip_start_time, trip_id::text, list_entry FROM trips
  WHERE fleet_id = $1 AND (driver_id, trip_start_time, trip_id) > ($2, $3::bigint, $4::uuid)
    AND trip_start_time >= $5 AND trip_start_time < $6 AND trip_end_time <= $7
  ORDER BY driver_id, trip_start_time, trip_id LIMIT $8`;

const READ_DAYS = statement('export-days', { driver_id: 'text', date: 'date', summary: 'text' })`
  SELECT driver_id, date, summary FROM daily_rollups
  WHERE fleet_id = $1 AND (driver_id, date) > ($2, $3::date) AND date BETWEEN $4 AND $5
  ORDER BY driver_id, date LIMIT $6`;

/** `$6` is the last visible day. Each week's last row up to this day contains the totals of the week to date. */
const READ_WEEKS = statement('export-weeks', { driver_id: 'text', start_date: 'date', totals: 'text' })`
  SELECT DISTINCT ON (driver_id, start_date) driver_id, start_date, totals FROM weekly_rollups
  WHERE fleet_id = $1 AND (driver_id, start_date) > ($2, $3::date) AND start_date BETWEEN $4 AND $5 AND through_date <= $6
  ORDER BY driver_id, start_date, through_date DESC LIMIT $7`;

/** The rows to export. */
export interface RowsRequest {
  fleetId: string;
  /** The first day on which exported trips start, the first exported day, or the Monday of the first exported week. */
  from: CalendarDate;
  /** The last day, inclusive. A week whose Monday is on or before this day is exported in full. */
  to: CalendarDate;
  /**
   * The time of the export, in epoch milliseconds. The export contains the trips, days and weeks that the API shows at
   * this time.
   */
  now: number;
}

type Pages = AsyncGenerator<Row[]>;

/**
 * Reads pages until a page contains fewer rows than the maximum.
 *
 * @param first the key that sorts before all rows
 * @param read returns at most `MAX_PAGE_ROWS` rows after a key, in the order of their keys
 */
async function* pagesAfter<Key, Found>(
  first: Key,
  read: (after: Key) => Promise<Found[]>,
  keyOf: (row: Found) => Key,
  flat: (row: Found) => Row,
): Pages {
  let after = first;
  for (;;) {
    const rows = await read(after);
    yield rows.map(flat);
    const last = rows.at(-1);
    if (!last || rows.length < MAX_PAGE_ROWS) return;
    after = keyOf(last);
  }
}

function tripPages(transaction: Transaction, { fleetId, from, to, now }: RowsRequest): Pages {
  const range = [startOfDay(from), startOfDay(addDays(to, 1)), latestVisibleEnd(now), MAX_PAGE_ROWS];
  const first: (string | number)[] = [BEFORE_DRIVERS, 0, MIN_TRIP_ID];
  return pagesAfter(
    first,
    (after) => transaction.rows(READ_TRIPS, [fleetId, ...after, ...range]),
    ({ driver_id, trip_start_time, trip_id }) => [driver_id, trip_start_time, trip_id],
    ({ driver_id, list_entry }) => flatTrip(JSON.parse(unpackListEntries(list_entry, driver_id))),
  );
}

function dayPages(transaction: Transaction, { fleetId, from, to }: RowsRequest): Pages {
  return pagesAfter(
    [BEFORE_DRIVERS, from],
    (after) => transaction.rows(READ_DAYS, [fleetId, ...after, from, to, MAX_PAGE_ROWS]),
    (row) => [row.driver_id, row.date],
    ({ driver_id, summary }) => flatSummary(driver_id, JSON.parse(summary)),
  );
}

function weekPages(transaction: Transaction, { fleetId, from, to, now }: RowsRequest): Pages {
  const { yesterday } = answerableDates(now);
  return pagesAfter(
    [BEFORE_DRIVERS, from],
    (after) => transaction.rows(READ_WEEKS, [fleetId, ...after, from, to, yesterday, MAX_PAGE_ROWS]),
    (row) => [row.driver_id, row.start_date],
    ({ driver_id, totals }) => flatSummary(driver_id, JSON.parse(totals)),
  );
}

const PAGES = { trips: tripPages, days: dayPages, weeks: weekPages };

/**
 * Yields a fleet's rows in pages, ordered by driver, then by time. Run this in one snapshot, because otherwise a trip
 * that moves to another driver could be exported twice or not at all.
 */
export function readPages(transaction: Transaction, subject: Subject, request: RowsRequest): Pages {
  return PAGES[subject](transaction, request);
}

/** Whether the read tables contain anything about the fleet. */
export async function isKnownFleet(transaction: Transaction, fleetId: string): Promise<boolean> {
  return (await transaction.row(FIND_FLEET, [fleetId])).known;
}
