import { answerableDates, latestVisibleEnd } from '@milepost/domain/answer-times';
import { addDays, type CalendarDate, startOfDay } from '@milepost/domain/calendar';
import { statement, type Transaction } from '@milepost/postgres';
import type { Subject } from './export-columns.ts';
import type { DailySummary, TripListEntry, WeekTotals } from './resources.ts';
import { unpackListEntries } from './trips/list-entry.ts';

/** A value in a row. Times are in epoch milliseconds, and dates are `YYYY-MM-DD`. */
export type Cell = string | number | boolean | null;

export type Row = Readonly<Record<string, Cell>>;

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

/** How one kind of row is read. */
interface Source {
  /** SQL that lists the columns `driver_id` and `json` in the order of the primary key. `$1` is the fleet. */
  text: string;
  /** The values from `$2` on. */
  values: (request: RowsRequest) => unknown[];
  toRow: (driverId: string, json: string) => Row;
}

/** Returns a trip as a row. */
function flatTrip({ event_summary, ...trip }: TripListEntry): Row {
  return { ...trip, ...event_summary };
}

/** Returns a driver's day or week as a row. */
function flatSummary(driver_id: string, { events_summary, focus_area, ...figures }: DailySummary | WeekTotals): Row {
  return { driver_id, ...figures, ...events_summary, ...focus_area };
}

const SOURCES: Readonly<Record<Subject, Source>> = {
  trips: {
    text: `SELECT driver_id, list_entry AS json FROM trips
      WHERE fleet_id = $1 AND trip_start_time >= $2 AND trip_start_time < $3 AND trip_end_time <= $4
      ORDER BY driver_id, trip_start_time, trip_id`,
    values: ({ from, to, now }) => [startOfDay(from), startOfDay(addDays(to, 1)), latestVisibleEnd(now)],
    toRow: (driverId, json) => flatTrip(JSON.parse(unpackListEntries(json, driverId))),
  },
  days: {
    text: `SELECT driver_id, summary AS json FROM daily_rollups
      WHERE fleet_id = $1 AND date BETWEEN $2 AND $3 ORDER BY driver_id, date`,
    values: ({ from, to }) => [from, to],
    toRow: (driverId, json) => flatSummary(driverId, JSON.parse(json)),
  },
  weeks: {
    // `$4` is the last visible day. Each week's last row up to this day contains the totals of the week to date.
    text: `SELECT DISTINCT ON (driver_id, start_date) driver_id, totals AS json FROM weekly_rollups
      WHERE fleet_id = $1 AND start_date BETWEEN $2 AND $3 AND through_date <= $4
      ORDER BY driver_id, start_date, through_date DESC`,
    values: ({ from, to, now }) => [from, to, answerableDates(now).yesterday],
    toRow: (driverId, json) => flatSummary(driverId, JSON.parse(json)),
  },
};

/** An export's memory use does not depend on the fleet's size, because only one page is in memory at a time. */
const PAGE_ROWS = 2_000;

/**
 * Yields a fleet's rows in pages, ordered by driver, then by time. Run this in one snapshot, because otherwise a trip
 * that moves to another driver could be exported twice or not at all.
 */
export async function* readPages(
  transaction: Transaction,
  subject: Subject,
  request: RowsRequest,
): AsyncGenerator<Row[]> {
  const { text, values, toRow } = SOURCES[subject];
  // PostgreSQL plans a cursor for its first rows, so it reads them from the index and does not sort the fleet's rows.
  await transaction.unprepared({}, `DECLARE exported NO SCROLL CURSOR FOR ${text}`, [
    request.fleetId,
    ...values(request),
  ]);
  for (let isLast = false; !isLast; ) {
    const rows = await transaction.unprepared({ driver_id: 'text', json: 'text' }, `FETCH ${PAGE_ROWS} FROM exported`);
    yield rows.map(({ driver_id, json }) => toRow(driver_id, json));
    isLast = rows.length < PAGE_ROWS;
  }
}

const FIND_FLEET = statement('export-find-fleet', { known: 'boolean' })`
  SELECT EXISTS (SELECT FROM fleets WHERE fleet_id = $1) AS known`;

/** Whether the read tables contain anything about the fleet. */
export async function isKnownFleet(transaction: Transaction, fleetId: string): Promise<boolean> {
  const [row] = await transaction.rows(FIND_FLEET, [fleetId]);
  return row?.known ?? false;
}
