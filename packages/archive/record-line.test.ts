import { MAX_RECORD_BYTES } from '@milepost/domain/records';
import { TRIP_DELETED } from '@milepost/domain/stored-event';
import { expect, it } from 'vitest';
import { recordLine } from './record-line.ts';

const OF_TRIPS = { driver_id: '', tracking_id: null, insurance_period: null, trail_path: null, trip_events: null };
const TIMES = { trip_start_time: 0, trip_end_time: 0 };
const PLACES = { start_latitude: 0, start_longitude: 0, end_latitude: 0, end_longitude: 0 };
const FIGURES = {
  duration_seconds: 0,
  distance_miles: 0,
  night_driving_seconds: 0,
  night_driving_miles: 0,
  highway_miles: 0,
};
const COUNTS = { phone_use_count: 0, rapid_acceleration_count: 0, hard_brake_count: 0, overspeeding_count: 0 };
const SECONDS = { phone_use_time_seconds: 0, overspeeding_time_seconds: 0 };
const OF_PROFILES = {
  first_name: null,
  last_name: null,
  email: null,
  alias: null,
  traceparent: null,
  set_aside: null,
  bytes_before: null,
};
const OF_OTHER_KINDS = { ...OF_TRIPS, ...TIMES, ...PLACES, ...FIGURES, ...COUNTS, ...SECONDS, ...OF_PROFILES };

it('recordLine throws for a line that exceeds the limit of ingest', () => {
  const lineOf = (topic: string) =>
    recordLine(
      {
        ...OF_OTHER_KINDS,
        kind: TRIP_DELETED,
        position: 7,
        stored_at: '2025-01-31T00:00:00.000000Z',
        topic,
        partition: 0,
        source_offset: 0,
        effective: true,
        supersedes: null,
        erased: false,
        fleet_id: 'acme',
        source_trip_id: 'trip-1',
        revision: 1,
      },
      { from: 7, through: 7 },
    );
  const rest = Buffer.byteLength(lineOf(''));
  // é has two bytes: the limit counts bytes, not characters.
  const longest = lineOf('é'.repeat((MAX_RECORD_BYTES - rest) >> 1));
  expect(MAX_RECORD_BYTES - Buffer.byteLength(longest)).toBeLessThan(2);
  expect(() => lineOf('é'.repeat(((MAX_RECORD_BYTES - rest) >> 1) + 1))).toThrow('position 7 makes a line of');
});
