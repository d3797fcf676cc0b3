import { createHash } from 'node:crypto';
import { parseRecord } from '@milepost/domain/records';
import type { TripEvent, TripProcessed } from '@milepost/domain/vocabulary';
import { expect, it } from 'vitest';
import { simulateFleet } from './fleet.ts';

type FleetOptions = Parameters<typeof simulateFleet>[0];

const OPTIONS: FleetOptions = { seed: 5, drivers: 120, days: 20, endDate: '2026-11-20' };
const END = Date.parse('2026-11-21T00:00:00.000Z');
const DAY = 86_400_000;

function fingerprint(options: FleetOptions): string {
  const hash = createHash('sha256');
  for (const record of simulateFleet(options)) hash.update(`${record.topic} ${record.key} ${record.value}\n`);
  return hash.digest('hex');
}

/**
 * Returns the trips of a fleet without simulated data errors, as parsed JSON. Each is a `trip.processed`; some have no
 * event summary.
 */
function cleanTrips(options: FleetOptions): Partial<TripProcessed>[] {
  const trips: Partial<TripProcessed>[] = [];
  for (const { topic, value } of simulateFleet({ ...options, dirt: false })) {
    if (topic === 'trips') trips.push(JSON.parse(value));
  }
  return trips;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

it('simulateFleet returns the same bytes for the same options, and different bytes for another seed', () => {
  const small = { ...OPTIONS, drivers: 60, days: 10 };
  // The hash is fixed so that the benchmarks of all releases read the same records.
  expect(fingerprint(small)).toBe('ab15a81cce76b6efc80248b978d6f578f12adf407a5daf3313d88bc26009d4d4');
  expect(fingerprint(small)).not.toBe(fingerprint({ ...small, seed: 6 }));
});

it('simulateFleet returns all profiles first, then the trips of the requested days that end before now', () => {
  const now = END - 5 * 3_600_000;
  const records = [...simulateFleet({ ...OPTIONS, drivers: 60, days: 3, now, fleetId: 'west' })];
  expect(records.slice(0, 60).every((record) => record.topic === 'drivers')).toBe(true);
  expect(records.slice(60).every((record) => record.topic === 'trips')).toBe(true);
  expect(records.every((record) => record.key.startsWith('west/'))).toBe(true);
  const trips = cleanTrips({ ...OPTIONS, drivers: 60, days: 3, now });
  const starts = trips.map((trip) => trip.trip_start_time ?? 0);
  expect(new Set(starts.map((start) => Math.floor((END - start - 1) / DAY)))).toEqual(new Set([0, 1, 2]));
  expect(Math.max(...trips.map((trip) => trip.trip_end_time ?? 0))).toBeLessThanOrEqual(now);
});

it('simulateFleet returns each clean trip once, in the order of the end times, and only valid records', () => {
  const options = { ...OPTIONS, drivers: 60, days: 8 };
  const trips = cleanTrips(options);
  const ends = trips.map((trip) => trip.trip_end_time ?? 0);
  expect(ends).toEqual([...ends].sort((one, other) => one - other));
  expect(new Set(trips.map((trip) => trip.source_trip_id)).size).toBe(trips.length);
  for (const { value } of simulateFleet({ ...options, dirt: false })) {
    const parsed = parseRecord(Buffer.from(value), END);
    if (!parsed.ok) expect.fail(`${parsed.message} ${value.slice(0, 300)}`);
  }
});

it('simulateFleet returns every trip even with data errors, with some out of order and a few broken records', () => {
  const options = { ...OPTIONS, drivers: 40, days: 12 };
  const expected = new Set(cleanTrips(options).map((trip) => trip.source_trip_id));
  const found = new Set<string>();
  let refused = 0;
  let disordered = 0;
  let latestEnd = 0;
  for (const { key, value } of simulateFleet(options)) {
    const parsed = parseRecord(Buffer.from(value), END);
    if (!parsed.ok) refused++;
    else if (parsed.record.kind === 'trip.processed') {
      expect(key).toBe(`${parsed.record.fleet_id}/${parsed.record.driver_id}`);
      found.add(parsed.record.source_trip_id);
      if (parsed.record.trip_end_time < latestEnd) disordered++;
      latestEnd = Math.max(latestEnd, parsed.record.trip_end_time);
    }
  }
  expect(found).toEqual(expected);
  expect(disordered / found.size).toBeGreaterThan(0.2);
  expect(refused).toBeLessThan(0.002 * found.size);
});

it('simulateFleet returns trips with the specified mean lengths, speeds and trip events', () => {
  const trips = cleanTrips(OPTIONS);
  const miles = trips.filter((trip) => !trip.insurance_period).map((trip) => trip.distance_miles ?? 0);
  const median = [...miles].sort((one, other) => one - other)[Math.floor(miles.length / 2)];
  expect(median).toBeGreaterThan(5.2);
  expect(median).toBeLessThan(5.8);
  const allMiles = sum(trips.map((trip) => trip.distance_miles ?? 0));
  const mph = (3600 * allMiles) / sum(trips.map((trip) => trip.duration_seconds ?? 0));
  expect(mph).toBeGreaterThan(20);
  expect(mph).toBeLessThan(26);
  const events: TripEvent[] = trips.flatMap((trip) => trip.events ?? []);
  for (const [type, expected] of Object.entries({ 2: 1.9, 1: 1.5, 9: 5, 7: 5 })) {
    const perHundred = (100 * events.filter((event) => event.event_type === Number(type)).length) / allMiles;
    expect(Math.abs(perHundred / expected - 1), `type ${type}`).toBeLessThan(0.2);
  }
  const points = sum(trips.map((trip) => trip.trail_path?.length ?? 0));
  const pointsAQuarterHour = (900 * points) / sum(trips.map((trip) => trip.duration_seconds ?? 0));
  expect(pointsAQuarterHour).toBeGreaterThan(270);
  expect(pointsAQuarterHour).toBeLessThan(305);
  expect(trips.some((trip) => trip.event_summary) && trips.some((trip) => !trip.event_summary)).toBe(true);
  expect(trips.filter((trip) => trip.tracking_id === 'pool-car').length).toBeGreaterThan(50);
});
