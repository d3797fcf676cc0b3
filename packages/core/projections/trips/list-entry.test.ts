import { expect, it } from 'vitest';
import type { TripListEntry } from '../resources.ts';
import { BETWEEN_ENTRIES, unpackListEntries } from './list-entry.ts';

function entry(driver_id: string, number: number): TripListEntry {
  return {
    trip_id: `${number}`.repeat(32),
    driver_id,
    trip_start_time: 1_795_218_436_235,
    trip_end_time: 1_795_218_448_221,
    duration_seconds: 12.5,
    distance_miles: 0.16,
    insurance_period: number === 1 ? null : 2,
    start_latitude: 33.316718,
    start_longitude: -112.031065,
    end_latitude: -0,
    end_longitude: 1e-7,
    night_driving_seconds: 0,
    highway_miles: 0,
    night_driving_miles: 0,
    event_summary: {
      phone_use_count: 1,
      rapid_acceleration_count: 0,
      hard_brake_count: 0,
      overspeeding_count: 0,
      phone_use_time_seconds: 27,
      overspeeding_time_seconds: 0,
    },
  };
}

it.each(['driver-1', `a "quoted" $& $1 \\ driver`, 'équipe 🚚', 'line\nend', '}},{"trip_id":"'])(
  'list entries are unpacked to the JSON of each trip, with the fields in the order of the interface: %j',
  (driverId) => {
    const entries = [1, 2, 3].map((number) => entry(driverId, number));
    const packed = entries.map(
      ({ trip_id, driver_id: _, ...rest }) => `${trip_id}\n${JSON.stringify(rest).slice(1, -2)}`,
    );
    expect(unpackListEntries(packed.join(BETWEEN_ENTRIES), driverId)).toBe(
      entries.map((one) => JSON.stringify(one)).join(','),
    );
  },
);
