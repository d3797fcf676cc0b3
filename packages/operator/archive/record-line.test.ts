import { encodeTrailPath } from '@milepost/trail-codec';
import { expect, it } from 'vitest';
import type { StoredEventRow } from './log.ts';
import { recordLine } from './record-line.ts';

const TRIP: StoredEventRow = {
  kind: 1,
  fleet_id: 'acme',
  source_trip_id: 'trip-1',
  revision: 2,
  driver_id: 'driver-1',
  tracking_id: null,
  insurance_period: 3,
  trip_start_time: 1_736_928_000_000,
  trip_end_time: 1_736_929_800_000,
  duration_seconds: 1795.5,
  distance_miles: 12.25,
  night_driving_seconds: 60,
  highway_miles: 3.5,
  night_driving_miles: 0.5,
  start_latitude: 40.7128,
  start_longitude: -74.006,
  end_latitude: 40.7528,
  end_longitude: -73.966,
  phone_use_count: 1,
  rapid_acceleration_count: 2,
  hard_brake_count: 3,
  overspeeding_count: 4,
  phone_use_time_seconds: 5,
  overspeeding_time_seconds: 6,
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: null,
  alias: 'ada',
  position: 7,
  stored_at: '2025-01-15T08:00:00.000001Z',
  topic: 'milepost.trips',
  partition: 0,
  source_offset: 9,
  effective: true,
  supersedes: 4,
  erased: false,
  bytes_before: null,
  trail_path: Buffer.from(encodeTrailPath([])),
  trip_events: null,
  traceparent: null,
  set_aside: null,
};
const PLACE =
  '"milepost":{"position":7,"stored_at":"2025-01-15T08:00:00.000001Z","topic":"milepost.trips","partition":0,"offset":9,"effective":true,"supersedes":4';

it.each([
  [
    'trip.processed',
    TRIP,
    `{"kind":"trip.processed","fleet_id":"acme","source_trip_id":"trip-1","revision":2,"driver_id":"driver-1","tracking_id":null,"insurance_period":3,"trip_start_time":1736928000000,"trip_end_time":1736929800000,"duration_seconds":1795.5,"distance_miles":12.25,"night_driving_seconds":60,"highway_miles":3.5,"night_driving_miles":0.5,"start_latitude":40.7128,"start_longitude":-74.006,"end_latitude":40.7528,"end_longitude":-73.966,"event_summary":{"phone_use_count":1,"rapid_acceleration_count":2,"hard_brake_count":3,"overspeeding_count":4,"phone_use_time_seconds":5,"overspeeding_time_seconds":6},"events":[],"trail_path":[],${PLACE},"from":1,"through":9}}`,
  ],
  [
    'trip.deleted',
    { ...TRIP, kind: 2, set_aside: 'a test' },
    `{"kind":"trip.deleted","fleet_id":"acme","source_trip_id":"trip-1","revision":2,${PLACE},"set_aside":"a test","from":1,"through":9}}`,
  ],
  [
    'driver.profile',
    { ...TRIP, kind: 3 },
    `{"kind":"driver.profile","fleet_id":"acme","driver_id":"driver-1","revision":2,"first_name":"Ada","last_name":"Lovelace","email":null,"alias":"ada",${PLACE},"from":1,"through":9}}`,
  ],
])('a line of an archive has the fields of a %s in a fixed order', (_kind, row, line) => {
  expect(recordLine(row, { from: 1, through: 9 })).toBe(line);
});
