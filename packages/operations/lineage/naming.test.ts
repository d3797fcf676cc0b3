import { describe, expect, it } from 'vitest';
import { matchOf, type Subject } from './dead-letters.ts';

const START = Date.UTC(2025, 0, 15, 8);
const trip: Subject = { fleetId: 'acme', sourceTripIds: new Set(['t-1']), driverDay: null };
const day: Subject = { ...trip, driverDay: { driverId: 'd-1', date: '2025-01-15' } };
const raw = (fields: object) => Buffer.from(JSON.stringify(fields));

describe('a dead letter is about', () => {
  it('the trip of its own fields, and no trip that it merely mentions', () => {
    expect(matchOf(raw({ fleet_id: 'acme', source_trip_id: 't-1' }), trip)).toBe('parsed');
    expect(matchOf(raw({ fleet_id: 'acme', source_trip_id: 't-2', note: 't-1' }), trip)).toBeNull();
    expect(matchOf(raw({ fleet_id: 'other', source_trip_id: 't-1', note: 'acme' }), trip)).toBeNull();
    expect(matchOf(raw({ fleet_id: 'acme', driver_id: 'd-1' }), trip)).toBeNull();
  });

  it("the driver's day, unless its own day is another one", () => {
    const letter = (fields: object) => raw({ fleet_id: 'acme', driver_id: 'd-1', ...fields });
    expect(matchOf(letter({ trip_start_time: START }), day)).toBe('parsed');
    expect(matchOf(letter({ trip_start_time: START + 86_400_000 }), day)).toBeNull();
    expect(matchOf(letter({ trip_start_time: 'noon' }), day)).toBe('parsed');
    expect(matchOf(letter({ trip_start_time: 1e300 }), day)).toBe('parsed');
    expect(matchOf(letter({ email: 1 }), day)).toBe('parsed');
    expect(matchOf(raw({ fleet_id: 'acme', driver_id: 'd-2', trip_start_time: START }), day)).toBeNull();
  });

  it('a trip of the day wherever the letter would take it', () => {
    const moved = raw({ fleet_id: 'acme', driver_id: 'd-2', source_trip_id: 't-1', trip_start_time: 1 });
    expect(matchOf(moved, day)).toBe('parsed');
  });

  it('whatever its text says where it is no JSON', () => {
    expect(matchOf(Buffer.from('{"fleet_id":"acme","source_trip_id":"t-1",'), trip)).toBe('text');
    expect(matchOf(Buffer.from('["acme","t-1"]'), trip)).toBe('text');
  });
});
