import { exactJson } from '@milepost/domain/exact-json';
import type { TripEventType } from '@milepost/domain/vocabulary';
import fc from 'fast-check';
import { anyEventSummary } from './arbitrary-records.ts';
import { driverProfile, tripDeleted, tripProcessed } from './records.ts';

/** A Monday. Trips start in the two weeks that begin here, and many of them start close to midnight. */
export const FIRST_DAY = Date.UTC(2025, 0, 6);
export const DAYS = 14;
const DAY = 86_400_000;

const figure = fc.oneof(
  fc.constantFrom(0, 0.1, 0.2, 0.3, 1e-7, 123456.789, 1 / 3, 5e-324, 1e21, 0.1 + 0.2, Number.MAX_SAFE_INTEGER, 1800),
  fc.double({ min: 0, max: 1e6, noNaN: true }).map((value) => value + 0),
);
const coordinate = fc.oneof(fc.constantFrom(-0, 0, 1e-7), fc.double({ min: -90, max: 90, noNaN: true }));
const longitude = fc.oneof(coordinate, fc.double({ min: -180, max: 180, noNaN: true }));
const count = fc.constantFrom(0, 0, 1, 2, 30, 2 ** 31);
const anyStartTime = fc
  .tuple(fc.nat(DAYS - 1), fc.oneof(fc.constantFrom(0, 1, DAY - 1, DAY / 2), fc.nat(DAY - 1)))
  .map(([day, time]) => FIRST_DAY + day * DAY + time);
// Many trips start at the same time, so that only their ids determine their order.
const startTime = fc.oneof(fc.constant(FIRST_DAY + 6 * DAY), anyStartTime, anyStartTime);
const driver_id = fc.constantFrom('driver', 'a/b,"c"\\', '🚗 é', "o'neil");
const revision = fc.integer({ min: 1, max: 6 });
const source_trip_id = fc.constantFrom('one', 'two', 'three', 'four', 'five', 'six');

const events = fc.array(
  fc.record({
    type: fc.constantFrom<TripEventType>(1, 2, 7, 9),
    start: fc.nat(9999),
    // Some trip events end before they start.
    length: fc.integer({ min: -20_000, max: 99_999 }),
  }),
  { maxLength: 3 },
);
const trail = fc.array(
  fc.record({
    timestamp: fc.integer({ min: FIRST_DAY, max: FIRST_DAY + DAY }),
    latitude: coordinate,
    longitude: fc.integer({ min: -180_000_000, max: 180_000_000 }).map((value) => value / 1e6),
    course: fc.constantFrom(0, 359.9, 0.1, -5),
  }),
  { maxLength: 4 },
);

const processed = fc
  .record({
    source_trip_id,
    revision,
    driver_id,
    tracking_id: fc.constantFrom(null, 'pool', 'track/1'),
    insurance_period: fc.constantFrom(null, 1, 2, 3),
    trip_start_time: startTime,
    length: fc.constantFrom(0, 60_000, 3 * 3_600_000, 2 * DAY),
    figures: fc.record({
      duration_seconds: figure,
      distance_miles: figure,
      night_driving_seconds: figure,
      highway_miles: figure,
      night_driving_miles: figure,
      start_latitude: coordinate,
      start_longitude: longitude,
      end_latitude: coordinate,
      end_longitude: longitude,
    }),
    summary: fc.option(anyEventSummary(count, figure)),
    events,
    trail,
  })
  .map(({ length, figures, summary, events: drawn, trail: trail_path, ...fields }) => {
    const { event_summary: _, ...trip } = tripProcessed({ ...fields, ...figures, trail_path, events: [] });
    return {
      ...trip,
      trip_end_time: fields.trip_start_time + length,
      ...(summary ? { event_summary: summary } : {}),
      events: drawn.map(({ type, start, length: milliseconds }) => ({
        event_type: type,
        event_start_timestamp: fields.trip_start_time + start,
        event_end_timestamp: fields.trip_start_time + start + milliseconds,
        event_start_latitude: 1.5,
        event_start_longitude: -2.25,
        event_end_latitude: -0,
        event_end_longitude: 1e-7,
        ...(type === 9 ? { event_data: { user_speed_mph: 70.1, speed_limit_mph: 55, max_user_speed_mph: 80 } } : {}),
      })),
    };
  });

const name = fc.constantFrom(null, 'Ada', '"Łukasz"\n');
const profile = fc
  .record({
    driver_id: fc.oneof(driver_id, fc.constant('never drove')),
    revision,
    first_name: name,
    last_name: name,
    email: fc.constantFrom(null, 'ada@example.org', 'ada.l@example.org'),
    alias: name,
  })
  .map((fields) => driverProfile(fields));
const deleted = fc.record({ source_trip_id, revision }).map((fields) => tripDeleted(fields));

/** A record from one of two fleets. `again` repeats an earlier record in the sequence; `broken` cannot be stored. */
type Drawn = { again: number } | { broken: string } | { fleet: 'north' | 'south'; record: object };

const drawn: fc.Arbitrary<Drawn> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ fleet: fc.constantFrom('north', 'south'), record: processed }) },
  { weight: 3, arbitrary: fc.record({ fleet: fc.constantFrom('north', 'south'), record: deleted }) },
  { weight: 3, arbitrary: fc.record({ fleet: fc.constantFrom('north', 'south'), record: profile }) },
  { weight: 3, arbitrary: fc.record({ again: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ broken: fc.constantFrom('', '{', '[]', '{"kind":"trip.processed"}') }) },
);

export const drawnSequence = fc.record({
  deliveries: fc.array(drawn, { minLength: 1, maxLength: 45, size: 'max' }),
  /** Batch sizes for appends and for projections. Each list is used in turn. */
  appendSizes: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 }),
  advanceSizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
  now: fc.integer({ min: FIRST_DAY + 3 * DAY, max: FIRST_DAY + 20 * DAY }),
  limit: fc.constantFrom(1, 2, 3, 100),
});
export type DrawnSequence = typeof drawnSequence extends fc.Arbitrary<infer Sequence> ? Sequence : never;

/** Converts a sequence to strings. Its fleet names end in `suffix`. `broken` marks a record that cannot be stored. */
export function textsOf(deliveries: readonly Drawn[], suffix: string): { text: string; broken: boolean }[] {
  const texts: { text: string; broken: boolean }[] = [];
  for (const delivery of deliveries) {
    if ('again' in delivery) {
      const earlier = texts[delivery.again % Math.max(texts.length, 1)];
      if (earlier) texts.push(earlier);
    } else if ('broken' in delivery) {
      texts.push({ text: delivery.broken, broken: true });
    } else {
      const record: object = { ...delivery.record, fleet_id: `${delivery.fleet}-${suffix}` };
      texts.push({ text: exactJson(record), broken: false });
    }
  }
  return texts;
}
