import type { EventSummary as EventFigures } from '@milepost/domain/vocabulary';
import Type, { type Static, type TSchema } from 'typebox';

/**
 * The resources of the API, which the read tables store as ready-made JSON. The reference shows each schema under its
 * `$id`, with the unit and an example of each property.
 */

/**
 * Returns a schema that also allows null, as a list of two types, because serializers compile this form to simpler
 * code.
 */
function Nullable<Value>(schema: TSchema & { type: string; enum?: readonly (string | number)[] }) {
  const values = schema.enum ? { enum: [...schema.enum, null] } : {};
  return Type.Unsafe<Value | null>({ ...schema, ...values, type: [schema.type, 'null'] });
}

function text(description: string, example: string) {
  return Type.String({ description, examples: [example] });
}

function day(description: string, example: string) {
  return Type.String({ format: 'date', description, examples: [example] });
}

/** A figure that is never negative. */
function figure(description: string, example: number) {
  return Type.Number({ minimum: 0, description, examples: [example] });
}

function count(description: string, example: number) {
  return Type.Integer({ minimum: 0, description, examples: [example] });
}

function flag(description: string, example: boolean) {
  return Type.Boolean({ description, examples: [example] });
}

/** A coordinate. Those of trail points and trip events have no `limits`, because records are not checked for them. */
function degrees(whose: string, example: number, limits: { minimum?: number; maximum?: number } = {}) {
  return Type.Number({ ...limits, description: `${whose}, in decimal degrees.`, examples: [example] });
}

const LATITUDE = { minimum: -90, maximum: 90 };
const LONGITUDE = { minimum: -180, maximum: 180 };

function speed(whose: string, example: number) {
  return Type.Number({ description: `${whose}, in miles per hour.`, examples: [example] });
}

function time(whose: string, example: number) {
  return Type.Integer({ description: `${whose}, in epoch milliseconds, UTC.`, examples: [example] });
}

const EventSummary = Type.Object(
  {
    phone_use_count: count('Number of phone uses.', 3),
    rapid_acceleration_count: count('Number of rapid accelerations.', 3),
    hard_brake_count: count('Number of times the driver braked hard.', 1),
    overspeeding_count: count('Number of times the driver exceeded the speed limit.', 2),
    phone_use_time_seconds: figure('Time of phone use, in seconds.', 52.592),
    overspeeding_time_seconds: figure('Time above the speed limit, in seconds.', 31.777),
  } satisfies Record<keyof EventFigures, TSchema>,
  { $id: 'EventSummary', description: 'Counts and durations of driving events.' },
);

export const Driver = Type.Object(
  {
    driver_id: text('The id of the driver within the fleet.', 'driver-00001'),
    first_name: Nullable<string>(text('First name, or null.', 'Latoya')),
    last_name: Nullable<string>(text('Last name, or null.', 'Lopez')),
    email: Nullable<string>(text('Email address, or null.', 'latoya.lopez.1@example.com')),
    alias: Nullable<string>(text('An alias of the driver, or null.', 'Van 7')),
    first_travel_date: Nullable<string>(day('UTC date of the first trip; null if there are none.', '2026-10-07')),
    last_travel_date: Nullable<string>(day('UTC date of the last trip; null if there are none.', '2026-11-20')),
  },
  { $id: 'Driver', description: 'A driver in the fleet. All fields except `driver_id` may be null.' },
);
export type Driver = Static<typeof Driver>;

const SummaryFocusArea = Type.Object(
  {
    is_phone_use: flag('Whether the driver should reduce phone use.', true),
    is_overspeeding: flag('Whether the driver should work on speed.', false),
    is_hard_brake: flag('Whether the driver should work on braking.', false),
    is_acceleration: flag('Whether the driver should work on acceleration.', false),
  },
  {
    $id: 'SummaryFocusArea',
    description: 'The areas that the driver should work on: those that cost the most points.',
  },
);

const figures = {
  fm_score: Nullable<number>(
    Type.Number({
      minimum: 0,
      maximum: 100,
      description: 'Driving score from 0 to 100 points, with one decimal place; null if there are no trips.',
      examples: [84.5],
    }),
  ),
  fm_grade: Nullable<string>(
    Type.String({
      enum: ['excellent', 'good', 'fair', 'poor'],
      description: 'Grade: excellent from 85, good from 70, fair from 50, otherwise poor; null if there are no trips.',
      examples: ['good'],
    }),
  ),
  trip_count: count('Number of trips.', 1),
  distance_miles: figure('Distance, in miles.', 33.52),
  duration_seconds: figure('Driving time, in seconds.', 3527),
  night_driving_seconds: figure('Driving time at night, in seconds.', 0),
  highway_miles: figure('Distance on highways, in miles.', 23.46),
  events_summary: EventSummary,
  focus_area: SummaryFocusArea,
};

export const DailySummary = Type.Object(
  { ...figures, date: day('The UTC date of the summary.', '2026-11-20') },
  { $id: 'DailySummary', description: "A driver's summary for a UTC day. A day without trips has zeros and no score." },
);
export type DailySummary = Static<typeof DailySummary>;

/** A week's figures without its days, which are read from the daily rows. */
export const WeekTotals = Type.Object({
  ...figures,
  start_date: day('The Monday on which the week begins, as a UTC date.', '2026-11-16'),
  end_date: day('The Sunday on which the week ends, as a UTC date.', '2026-11-22'),
});
export type WeekTotals = Static<typeof WeekTotals>;

export const WeeklySummary = Type.Object(
  {
    ...WeekTotals.properties,
    daily_summary_breakdown: Type.Array(DailySummary, {
      description: 'One entry for each day with trips, in ascending order.',
    }),
  },
  { $id: 'WeeklySummary', description: "A driver's summary for a week. The score is computed from the week's sums." },
);

/** The figures shared by both kinds of summary. */
export type DrivingFigures = Omit<DailySummary, 'date'>;

export const TripListEntry = Type.Object(
  {
    trip_id: text('The id of the trip: 32 lowercase hexadecimal digits.', '2f5e76a3ae0e809f384603a8ee6cee59'),
    driver_id: text('The id of the driver.', 'driver-00001'),
    trip_start_time: time('Start', 1_791_825_222_147),
    trip_end_time: time('End', 1_791_827_756_573),
    duration_seconds: figure('Driving time, in seconds. It may differ from the end minus the start.', 2534),
    distance_miles: figure('Distance, in miles.', 15.32),
    insurance_period: Nullable<number>(
      Type.Integer({
        enum: [1, 2, 3],
        description: 'Insurance period 1, 2 or 3; null for fleets without insurance periods.',
        examples: [2],
      }),
    ),
    start_latitude: degrees('Latitude of the start', 33.400457, LATITUDE),
    start_longitude: degrees('Longitude of the start', -112.035184, LONGITUDE),
    end_latitude: degrees('Latitude of the end', 33.546032, LATITUDE),
    end_longitude: degrees('Longitude of the end', -112.101701, LONGITUDE),
    night_driving_seconds: figure('Driving time at night, in seconds.', 0),
    highway_miles: figure('Distance on highways, in miles.', 4.89),
    night_driving_miles: figure('Distance at night, in miles.', 0),
    event_summary: EventSummary,
  },
  { $id: 'Trip', description: 'A trip as it appears in lists, without its path or its driving events.' },
);
export type TripListEntry = Static<typeof TripListEntry>;

const TrailPoint = Type.Object(
  {
    timestamp: time('When the vehicle was here', 1_791_825_225_147),
    latitude: degrees('Latitude', 33.400512),
    longitude: degrees('Longitude', -112.035201),
    course: Type.Number({ description: 'Heading in degrees relative to North.', examples: [344.5] }),
  },
  { $id: 'TrailPoint', description: 'A recorded point on the path.' },
);

const TripEvent = Type.Object(
  {
    event_type: Type.Integer({
      enum: [1, 2, 7, 9],
      description: 'Code of the kind: 1 RAPID_ACCELERATION, 2 HARD_BRAKE, 7 PHONE_USE, 9 OVERSPEEDING.',
      examples: [9],
    }),
    event_name: Type.String({
      enum: ['RAPID_ACCELERATION', 'HARD_BRAKE', 'PHONE_USE', 'OVERSPEEDING'],
      description: 'Name of the kind.',
      examples: ['OVERSPEEDING'],
    }),
    event_start_timestamp: time('Start', 1_791_826_000_000),
    event_end_timestamp: time('End', 1_791_826_025_000),
    event_start_latitude: degrees('Latitude of the start', 33.452118),
    event_start_longitude: degrees('Longitude of the start', -112.061422),
    event_end_latitude: degrees('Latitude of the end', 33.456871),
    event_end_longitude: degrees('Longitude of the end', -112.063107),
    event_data: Type.Object(
      {
        user_speed_mph: Type.Optional(speed('Speed of the vehicle', 52.4)),
        speed_limit_mph: Type.Optional(speed('Speed limit', 45)),
        max_user_speed_mph: Type.Optional(speed('Highest speed of the vehicle', 57.1)),
      },
      { description: 'Empty, except for OVERSPEEDING, which has all three fields.' },
    ),
  },
  { $id: 'TripEvent', description: 'A driving event: something that happened during the trip.' },
);

const TripFocusArea = Type.Object(
  {
    is_phone_use: flag('Whether the driver should reduce phone use.', false),
    is_rapid_acceleration: flag('Whether the driver should work on acceleration.', true),
    is_hard_brake: flag('Whether the driver should work on braking.', false),
    is_overspeeding: flag('Whether the driver should work on speed.', false),
  },
  { $id: 'TripFocusArea', description: 'The areas that the driver should work on, judged by this trip alone.' },
);

export const TripDetail = Type.Object(
  {
    ...TripListEntry.properties,
    focus_area: TripFocusArea,
    trail_path: Type.Array(TrailPoint, { description: "The vehicle's route, in the recorded order." }),
    events: Type.Array(TripEvent, { description: 'The driving events, in the recorded order.' }),
  },
  { $id: 'TripDetail', description: 'A trip with its focus areas, its path and its driving events.' },
);
