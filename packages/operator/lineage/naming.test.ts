import { expect, it } from 'vitest';
import { matchOf, type Subject } from './dead-letters.ts';

const START = Date.UTC(2025, 0, 15, 8);
const trip: Subject = { fleetId: 'acme', sourceTripIds: new Set(['t-1']), driverDay: null };
const day: Subject = { ...trip, driverDay: { driverId: 'd-1', date: '2025-01-15' } };
const raw = (fields: object) => Buffer.from(JSON.stringify(fields));

it('matchOf matches the trip that the id fields name, not a trip that is only mentioned', () => {
  expect(matchOf(raw({ fleet_id: 'acme', source_trip_id: 't-1' }), trip)).toBe('parsed');
  expect(matchOf(raw({ fleet_id: 'acme', source_trip_id: 't-2', note: 't-1' }), trip)).toBeNull();
  expect(matchOf(raw({ fleet_id: 'other', source_trip_id: 't-1', note: 'acme' }), trip)).toBeNull();
  expect(matchOf(raw({ fleet_id: 'acme', driver_id: 'd-1' }), trip)).toBeNull();
});

it("matchOf matches the driver's day, unless the dead letter has another day", () => {
  const deadLetter = (fields: object) => raw({ fleet_id: 'acme', driver_id: 'd-1', ...fields });
  expect(matchOf(deadLetter({ trip_start_time: START }), day)).toBe('parsed');
  expect(matchOf(deadLetter({ trip_start_time: START + 86_400_000 }), day)).toBeNull();
  expect(matchOf(deadLetter({ trip_start_time: 'noon' }), day)).toBe('parsed');
  expect(matchOf(deadLetter({ trip_start_time: 1e300 }), day)).toBe('parsed');
  expect(matchOf(deadLetter({ email: 1 }), day)).toBe('parsed');
  expect(matchOf(raw({ fleet_id: 'acme', driver_id: 'd-2', trip_start_time: START }), day)).toBeNull();
});

it('matchOf matches a trip that belongs to the day and that the dead letter would move', () => {
  const moved = raw({ fleet_id: 'acme', driver_id: 'd-2', source_trip_id: 't-1', trip_start_time: 1 });
  expect(matchOf(moved, day)).toBe('parsed');
});

it('matchOf matches by text when the dead letter is not a JSON object', () => {
  expect(matchOf(Buffer.from('{"fleet_id":"acme","source_trip_id":"t-1",'), trip)).toBe('text');
  expect(matchOf(Buffer.from('["acme","t-1"]'), trip)).toBe('text');
});
