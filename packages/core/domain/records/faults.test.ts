import fc from 'fast-check';
import { expect, it } from 'vitest';
import { driverProfile, tripDeleted, tripProcessed } from '../../../../test/support/records.ts';
import { DEAD_LETTER_REASONS } from './fault.ts';
import { parseRecord, recordFaults } from './parse.ts';
import { WARNINGS } from './warning-reasons.ts';

const NOW = Date.UTC(2025, 0, 20);
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const faultsIn = (record: object) =>
  [...recordFaults(bytes(record), NOW)].map(({ reason, field }) => `${reason} ${field}`);

const trip = tripProcessed();
const { trip_start_time: start } = trip;
const [event = trip.events[0], other] = trip.events;
const [point] = trip.trail_path;

it('the faults in a record are all reported, including those after the first one, at which the parser stops', () => {
  const events = [{ ...event, event_type: 3, event_end_latitude: 'x' }, other];
  const { fleet_id: __, ...record } = { ...trip, events };
  const broken = { ...record, revision: 0, trail_path: [{ ...point, course: null }], trip_end_time: start - 1 };
  expect(faultsIn(broken)).toEqual([
    'missing_field /fleet_id',
    'invalid_field /revision',
    'invalid_field /events/0/event_type',
    'invalid_field /events/0/event_end_latitude',
    'invalid_field /trail_path/0/course',
    'end_before_start /trip_end_time',
  ]);
});

it.each([
  [40, `"${'x'.repeat(40)}"`],
  [41, `"${'x'.repeat(40)}"... (41 characters)`],
])('the faults in a record show at most 40 characters of a text: %d', (length, shown) => {
  const [found] = recordFaults(bytes({ ...trip, revision: 'x'.repeat(length) }), NOW);
  expect(found?.message.split(', but is ')[1]).toBe(`${shown}.`);
});

it('the faults in a record include those of each trail point, and of fields after an absent optional one', () => {
  const trail_path = [{ ...point, course: null }, point, { ...point, latitude: 'x' }, 7];
  const { tracking_id: _, insurance_period: __, ...record } = { ...trip, trail_path, end_longitude: 181 };
  expect(faultsIn(record)).toEqual([
    'invalid_field /end_longitude',
    'invalid_field /trail_path/0/course',
    'invalid_field /trail_path/2/latitude',
    'invalid_field /trail_path/3',
  ]);
});

it.each([
  ['trip_start_time', 'x'],
  ['trip_start_time', NOW + 10_000_000_000_000],
  ['trip_end_time', -1],
])('the faults in a record do not compare the times of a trip when %s is %o, which is not a time', (name, value) => {
  expect(faultsIn({ ...trip, [name]: value })).toEqual([`invalid_field /${name}`]);
});

it('the faults in a record include those of trip events, by the rules of their types, and wrong names of types', () => {
  const speeding = { ...event, event_type: 9, event_name: 'OVERSPEEDING' };
  const events = [
    { ...speeding, event_data: { user_speed_mph: 'x', speed_limit_mph: 30 } },
    { ...event, event_type: 2, event_name: 'PHONE_USE', event_data: { user_speed_mph: 'x' } },
    { ...event, event_type: 2, event_name: 'HARD_BRAKE', event_end_longitude: null },
    null,
  ];
  expect(faultsIn({ ...trip, events })).toEqual([
    'invalid_field /events/0/event_data/user_speed_mph',
    'missing_field /events/0/event_data/max_user_speed_mph',
    'invalid_field /events/1/event_name',
    'invalid_field /events/2/event_end_longitude',
    'invalid_field /events/3',
  ]);
});

it('the faults in a record begin with the fault that the parser reports, and are empty for an accepted record', () => {
  const examples = [trip, tripDeleted(), driverProfile()];
  const changed = fc.constantFrom(...examples).chain((record) =>
    fc.array(fc.tuple(fc.constantFrom(...Object.keys(record)), fc.jsonValue()), { maxLength: 3 }).map((changes) => ({
      ...record,
      ...Object.fromEntries(changes),
    })),
  );
  fc.assert(
    fc.property(fc.oneof(changed, fc.jsonValue()), (value) => {
      const parsed = parseRecord(bytes(value), NOW);
      expect([...recordFaults(bytes(value), NOW)].slice(0, 1)).toEqual(parsed.ok ? [] : [parsed]);
    }),
    { numRuns: 2000 },
  );
});

it('the faults in a record have codes that differ from those of warnings', () => {
  expect(new Set(Object.keys(WARNINGS)).isDisjointFrom(new Set(Object.keys(DEAD_LETTER_REASONS)))).toBe(true);
});
