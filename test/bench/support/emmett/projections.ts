import { rawSql, type SQL, sql } from '@event-driven-io/dumbo';
import type { Event } from '@event-driven-io/emmett';
import { type PostgreSQLProjectionDefinition, postgreSQLRawSQLProjection } from '@event-driven-io/emmett-postgresql';
import { type CalendarDate, dateOf, mondayOf } from '@milepost/domain/calendar';
import type { TripProcessed } from '@milepost/domain/vocabulary';

/**
 * The peer's event, which is a trip's record as the pipeline sends it. This is a type alias because the library does
 * not accept an interface.
 */
export type TripRecorded = Event<'TripRecorded', { [Field in keyof TripProcessed]: TripProcessed[Field] }>;

/** The sums of a rollup. `trip_count` is the first. */
export const SUMS = [
  'trip_count',
  'distance_miles',
  'duration_seconds',
  'night_driving_seconds',
  'highway_miles',
  'phone_use_count',
  'rapid_acceleration_count',
  'hard_brake_count',
  'overspeeding_count',
  'phone_use_time_seconds',
  'overspeeding_time_seconds',
] as const;

interface ReadTable {
  columns: string;
  upsert: (table: string, trip: TripRecorded['data']) => SQL;
}

const TRIP_KEY = 'fleet_id text, source_trip_id text';
const TRIP_PRIMARY_KEY = 'PRIMARY KEY (fleet_id, source_trip_id)';
const TRIP_FIGURES = [
  'driver_id',
  'tracking_id',
  'insurance_period',
  'trip_start_time',
  'trip_end_time',
  'duration_seconds',
  'distance_miles',
  'night_driving_seconds',
  'highway_miles',
  'night_driving_miles',
  'start_latitude',
  'start_longitude',
  'end_latitude',
  'end_longitude',
] as const;

/** Creates a table with one row per driver and period, to which each trip is added. */
function rollup(periodOf: (date: CalendarDate) => string): ReadTable {
  const added = SUMS.map((name) => `${name} = rollup.${name} + excluded.${name}`).join(', ');
  return {
    columns: `fleet_id text, driver_id text, date date, ${SUMS.map((name) => `${name} numeric NOT NULL`).join(', ')},
      PRIMARY KEY (fleet_id, driver_id, date)`,
    upsert: (table, trip) => {
      const { distance_miles, duration_seconds, night_driving_seconds, highway_miles, event_summary } = trip;
      const { phone_use_count, rapid_acceleration_count, hard_brake_count, overspeeding_count } = event_summary;
      const { phone_use_time_seconds, overspeeding_time_seconds } = event_summary;
      return sql(
        `INSERT INTO ${table} AS rollup VALUES (%L, %L, %L, %L, %L, %L, %L, %L, %L, %L, %L, %L, %L, %L)
         ON CONFLICT (fleet_id, driver_id, date) DO UPDATE SET ${added}`,
        trip.fleet_id,
        trip.driver_id,
        periodOf(dateOf(trip.trip_start_time)),
        1,
        distance_miles,
        duration_seconds,
        night_driving_seconds,
        highway_miles,
        phone_use_count,
        rapid_acceleration_count,
        hard_brake_count,
        overspeeding_count,
        phone_use_time_seconds,
        overspeeding_time_seconds,
      );
    },
  };
}

const READ_TABLES = {
  trips: {
    columns: `${TRIP_KEY}, driver_id text, tracking_id text, insurance_period integer, trip_start_time bigint,
      trip_end_time bigint, duration_seconds numeric, distance_miles numeric, night_driving_seconds numeric,
      highway_miles numeric, night_driving_miles numeric, start_latitude float8, start_longitude float8,
      end_latitude float8, end_longitude float8, event_summary jsonb, ${TRIP_PRIMARY_KEY}`,
    upsert: (table: string, trip: TripRecorded['data']) =>
      sql(
        `INSERT INTO ${table} VALUES (%L, %L, ${TRIP_FIGURES.map(() => '%L').join(', ')}, %L)
         ON CONFLICT (fleet_id, source_trip_id) DO UPDATE SET
           ${[...TRIP_FIGURES, 'event_summary'].map((name) => `${name} = excluded.${name}`).join(', ')}`,
        trip.fleet_id,
        trip.source_trip_id,
        ...TRIP_FIGURES.map((name) => trip[name]),
        JSON.stringify(trip.event_summary),
      ),
  },
  daily_rollups: rollup((date) => date),
  weekly_rollups: rollup(mondayOf),
  drivers: {
    columns: `fleet_id text, driver_id text, first_travel_date date, last_travel_date date, PRIMARY KEY (fleet_id, driver_id)`,
    upsert: (table: string, trip: TripRecorded['data']) =>
      sql(
        `INSERT INTO ${table} AS driver VALUES (%L, %L, %L, %L) ON CONFLICT (fleet_id, driver_id) DO UPDATE SET
           first_travel_date = least(driver.first_travel_date, excluded.first_travel_date),
           last_travel_date = greatest(driver.last_travel_date, excluded.last_travel_date)`,
        trip.fleet_id,
        trip.driver_id,
        dateOf(trip.trip_start_time),
        dateOf(trip.trip_start_time),
      ),
  },
} satisfies Record<string, ReadTable>;

/** A read table of the peer. */
export type PeerTable = keyof typeof READ_TABLES;

export const PEER_TABLES: readonly PeerTable[] = ['trips', 'daily_rollups', 'weekly_rollups', 'drivers'];

/** Returns the name of a build's table. */
export const peerTable = (name: PeerTable, build: string): string => `${name}_${build}`;

/**
 * Creates the peer's projections, one for each read table. As the library's guide advises, a rebuild writes to new
 * tables next to those in use, so each build has its own projections.
 */
export function peerProjections(
  names: readonly PeerTable[],
  build: string,
): PostgreSQLProjectionDefinition<TripRecorded>[] {
  return names.map((name) => {
    const { columns, upsert } = READ_TABLES[name];
    const table = peerTable(name, build);
    return postgreSQLRawSQLProjection<TripRecorded>({
      name: table,
      canHandle: ['TripRecorded'],
      init: () => rawSql(`CREATE TABLE ${table} (${columns})`),
      evolve: ({ data }) => upsert(table, data),
    });
  });
}
