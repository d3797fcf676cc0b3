import { simulateFleet } from '@milepost/sample-fleet';
import { describe, expect, it } from 'vitest';
import { driverProfile, tripDeleted, tripProcessed } from '../../../../test/support/records.ts';
import { nameWarnings, parseRecord, type RecordWarning } from './parse.ts';

const NOW = Date.UTC(2025, 0, 20);
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));

/** Returns the reason, the field and the unknown name, if any, of each warning. */
function textsOf(warnings: readonly RecordWarning[]): string[] {
  return warnings.map(({ reason, field, name = '' }) => `${reason} ${field} ${name}`.trim());
}

function warningsOf(value: unknown): string[] {
  const parsed = parseRecord(bytes(value), NOW);
  if (!parsed.ok) throw new Error(parsed.message);
  return textsOf(parsed.warnings ?? []);
}

const trip = tripProcessed();
const { trip_start_time: start, trip_end_time: end } = trip;
const [event = trip.events[0], other] = trip.events;
const [point] = trip.trail_path;
const withEvent = (fields: object) => ({ ...trip, events: [{ ...event, ...fields }, other] });
const withPoint = (fields: object) => ({ ...trip, trail_path: [...trip.trail_path, { ...point, ...fields }] });
const { tracking_id: _, ...untracked } = trip;

describe('a warning', () => {
  it.each<[string, object, string]>([
    ['more highway miles than miles', { ...trip, highway_miles: 12.26 }, 'part_exceeds_whole /highway_miles'],
    ['more night miles than miles', { ...trip, night_driving_miles: 13 }, 'part_exceeds_whole /night_driving_miles'],
    [
      'more night seconds than seconds',
      { ...trip, night_driving_seconds: 1800 },
      'part_exceeds_whole /night_driving_seconds',
    ],
    ['minutes in place of seconds', { ...trip, duration_seconds: 30 }, 'duration_differs /duration_seconds'],
    [
      'a trip event before the trip',
      withEvent({ event_start_timestamp: start - 1 }),
      'trip_event_outside_trip /events/*/event_start_timestamp',
    ],
    [
      'a trip event after the trip',
      withEvent({ event_end_timestamp: end + 1 }),
      'trip_event_outside_trip /events/*/event_end_timestamp',
    ],
    [
      'a trip event that ends before it starts',
      withEvent({ event_start_timestamp: end, event_end_timestamp: start }),
      'trip_event_end_before_start /events/*/event_end_timestamp',
    ],
    ['a trail in seconds', withPoint({ timestamp: start / 1000 }), 'timestamp_in_seconds /trail_path/*/timestamp'],
    ['a course below 0', withPoint({ course: -1 }), 'course_out_of_range /trail_path/*/course'],
    ['a course above 360', withPoint({ course: 360.5 }), 'course_out_of_range /trail_path/*/course'],
    ['an unknown field', { ...trip, weather: 'rain' }, 'unknown_field  weather'],
    ['a second field with the meaning of a known field', { ...trip, distanceKm: 1 }, 'unknown_field  distanceKm'],
    ['an unknown field in trail points', withPoint({ altitude: 5 }), 'unknown_field /trail_path/* altitude'],
    [
      'an unknown field in the summary',
      { ...trip, event_summary: { ...trip.event_summary, total: 2 } },
      'unknown_field /event_summary total',
    ],
    ['an optional field in camelCase', { ...untracked, trackingId: 'a' }, 'other_name /tracking_id trackingId'],
    [
      'an unknown field in a trail point of a trip without trip events',
      { ...withPoint({ bearing: 5 }), events: [] },
      'unknown_field /trail_path/* bearing',
    ],
    ['an unknown field in a deletion', { ...tripDeleted(), driver_id: 'a' }, 'unknown_field  driver_id'],
  ])('is reported for %s', (_name, record, warning) => {
    expect(warningsOf(record)).toEqual([warning]);
  });

  it('is reported once for each field, whatever the number of trip events', () => {
    const seconds = { event_start_timestamp: start / 1000, event_end_timestamp: end / 1000 };
    expect(warningsOf({ ...trip, events: Array(20).fill({ ...event, ...seconds }) })).toEqual([
      'timestamp_in_seconds /events/*/event_start_timestamp',
      'timestamp_in_seconds /events/*/event_end_timestamp',
    ]);
  });

  it.each([
    trip,
    tripDeleted(),
    driverProfile(),
    { ...trip, milepost: { position: 5 } },
    { ...trip, highway_miles: trip.distance_miles, duration_seconds: 1800 * 1.2 },
    { ...trip, trip_end_time: start, duration_seconds: 60, events: [] },
    withEvent({ event_start_timestamp: start, event_end_timestamp: end }),
    withEvent({ event_start_timestamp: start, event_end_timestamp: start }),
    withPoint({ course: 0 }),
    withPoint({ course: 360 }),
  ])('is not reported for a correct record (%#)', (record) => {
    expect(warningsOf(record)).toEqual([]);
  });

  it.each([
    ['distance_km', '/distance_miles'],
    ['distanceMiles', '/distance_miles'],
    ['distance', '/distance_miles'],
    ['durationMs', '/duration_seconds'],
    ['startTime', '/trip_start_time'],
    ['start_lat', '/start_latitude'],
    ['endLng', '/end_longitude'],
    ['driverId', '/driver_id'],
    ['night_driving_km', '/night_driving_miles'],
    ['nightDrivingMinutes', '/night_driving_seconds'],
    ['TrailPath', '/trail_path'],
  ])('is reported for %s in place of %s, even in a refused record', (name, field) => {
    const { [field.slice(1)]: value, ...others }: Record<string, unknown> = { ...trip };
    expect(textsOf(nameWarnings(bytes({ ...others, [name]: value })))).toEqual([`other_name ${field} ${name}`]);
  });

  it.each([
    ['a trip event', withEvent, '/events/*'],
    [
      'the data of a trip event',
      (fields: object) => ({ ...trip, events: [event, { ...other, event_data: { ...other?.event_data, ...fields } }] }),
      '/events/*/event_data',
    ],
  ])('is reported for an unknown field of %s, even next to values that are not objects', (_name, change, field) => {
    const { events, ...record } = change({ weather: 'rain' });
    const warning = `unknown_field ${field} weather`;
    expect(warningsOf({ ...record, events })).toEqual([warning]);
    expect(textsOf(nameWarnings(bytes({ ...record, events: [null, 5, 'x', [], ...events] })))).toEqual([warning]);
  });

  it.each([
    ['a start in seconds', 'start', 1e9, ['timestamp_in_seconds']],
    ['the last start in seconds', 'start', 1e10 - 1, ['timestamp_in_seconds']],
    ['a start before the seconds', 'start', 1e9 - 1, ['trip_event_outside_trip']],
    ['a start after the seconds', 'start', 1e10, ['trip_event_outside_trip']],
    ['an end in seconds', 'end', 1e10 - 1, ['timestamp_in_seconds', 'trip_event_end_before_start']],
    ['an end after the seconds', 'end', 1e10, ['trip_event_end_before_start']],
  ])('distinguishes seconds by their ten digits: %s', (_name, edge, timestamp, reasons) => {
    const field = `event_${edge}_timestamp`;
    expect(warningsOf(withEvent({ [field]: timestamp }))).toEqual(
      reasons.map((reason) => `${reason} /events/*/${field}`),
    );
  });

  it.each([
    ['longer than a minute and than a fifth', 100, 161, true],
    ['a minute longer', 100, 160, false],
    ['longer than a minute, and shorter than a fifth', 1_000, 1_200, false],
    ['just longer than a fifth', 1_000, 1_200.5, true],
    ['just shorter than four fifths', 1_000, 799.5, true],
    ['four fifths', 1_000, 800, false],
  ])('compares the duration with the times of the trip: %s', (_name, seconds, duration_seconds, isReported) => {
    const record = { ...trip, trip_end_time: start + seconds * 1_000, duration_seconds, events: [] };
    expect(warningsOf(record)).toEqual(isReported ? ['duration_differs /duration_seconds'] : []);
  });

  it.each([
    ['the first', { timestamp: start / 1_000, course: -1 }, {}],
    ['the first and the last', { course: 361 }, { timestamp: start / 1_000 }],
    ['the last', {}, { timestamp: start / 1_000, course: 361 }],
  ])('is reported for an odd value in %s point of a trail', (_name, first, last) => {
    const trail_path = [first, {}, last].map((fields) => ({ ...point, ...fields }));
    expect(warningsOf({ ...trip, trail_path })).toEqual([
      'timestamp_in_seconds /trail_path/*/timestamp',
      'course_out_of_range /trail_path/*/course',
    ]);
  });

  it('is reported with the meaning that an unknown name has where it occurs first', () => {
    const { course, ...others } = { ...point };
    const trail_path = [others, point].map((fields) => ({ ...fields, heading: course }));
    expect(textsOf(nameWarnings(bytes({ ...trip, trail_path })))).toEqual(['other_name /trail_path/*/course heading']);
  });

  it('is reported only for the field itself when the field belongs to another kind of record', () => {
    const { event_summary } = trip;
    const record = { ...tripDeleted(), event_summary: { ...event_summary, total: 2 }, trail_path: [{ altitude: 5 }] };
    expect(warningsOf(record)).toEqual(['unknown_field  event_summary', 'unknown_field  trail_path']);
  });

  it('is reported for the first 100 unknown names at one path', () => {
    const unknown = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`unknown_${index}`, index]));
    const reported = Object.keys(unknown).slice(0, 100);
    expect(warningsOf({ ...trip, ...unknown })).toEqual(reported.map((name) => `unknown_field  ${name}`));
    expect(warningsOf(withPoint(unknown))).toHaveLength(100);
  });

  it('is never reported for the sample fleet', () => {
    const now = Date.UTC(2026, 0, 1);
    const odd = [...simulateFleet({ seed: 7, drivers: 12, days: 6, endDate: '2025-06-30' })]
      .map(({ value }) => parseRecord(Buffer.from(value), now))
      .flatMap((parsed) => (parsed.ok ? (parsed.warnings ?? []) : []));
    expect(odd).toEqual([]);
  });
});
