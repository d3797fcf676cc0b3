import type { TripProcessed } from '@milepost/domain/vocabulary';
import { expect, it } from 'vitest';
import { simulateFleet } from './fleet.ts';
import { TRAIL_STEP_MILLISECONDS } from './road.ts';
import { standardTrip } from './standard-trip.ts';

const METRES_A_DEGREE = 111_195;
const METRES_A_MILE = 1609.344;

function tripsOf(seed: number): TripProcessed[] {
  return [...simulateFleet({ seed, drivers: 40, days: 10, endDate: '2026-11-20', dirt: false })]
    .filter((record) => record.topic === 'trips')
    .map((record) => JSON.parse(record.value));
}

function metresBetween(one: { latitude: number; longitude: number }, other: { latitude: number; longitude: number }) {
  const scale = Math.cos((one.latitude * Math.PI) / 180);
  return METRES_A_DEGREE * Math.hypot(other.latitude - one.latitude, (other.longitude - one.longitude) * scale);
}

/** Checks the conditions that every trip from the pipeline meets. */
function expectPlausible(trip: TripProcessed): void {
  const { trip_start_time: start, trip_end_time: end, trail_path: trail } = trip;
  expect(end).toBeGreaterThan(start);
  expect(trail[0]).toMatchObject({ timestamp: start, latitude: trip.start_latitude, longitude: trip.start_longitude });
  expect(trail.at(-1)).toMatchObject({ latitude: trip.end_latitude, longitude: trip.end_longitude });
  expect(end - (trail.at(-1)?.timestamp ?? 0)).toBeLessThan(TRAIL_STEP_MILLISECONDS);
  expect(trip.highway_miles).toBeLessThanOrEqual(0.7 * trip.distance_miles + 0.01);
  expect(trip.night_driving_miles).toBeLessThanOrEqual(trip.distance_miles);
  expect(trip.night_driving_seconds).toBeLessThanOrEqual(trip.duration_seconds + 1);
  let metres = 0;
  for (const [index, point] of trail.entries()) {
    const before = trail[index - 1] ?? point;
    const milliseconds = point.timestamp - before.timestamp;
    const step = metresBetween(before, point);
    metres += step;
    if (milliseconds % TRAIL_STEP_MILLISECONDS !== 0 || milliseconds < 0) expect.fail(`a step of ${milliseconds} ms`);
    if (step > 60 * (milliseconds / 1000) + 30) expect.fail(`${step} m in ${milliseconds} ms`);
    if (!(point.course >= 0 && point.course <= 359.9)) expect.fail(`the course ${point.course}`);
    const turn = Math.abs(((point.course - before.course + 540) % 360) - 180);
    if (milliseconds === TRAIL_STEP_MILLISECONDS && turn > 50) expect.fail(`a turn of ${turn} degrees in one step`);
  }
  if (trip.distance_miles > 2) expect(Math.abs(metres / METRES_A_MILE / trip.distance_miles - 1)).toBeLessThan(0.15);
  for (const event of trip.events) {
    expect(event.event_start_timestamp).toBeGreaterThanOrEqual(start);
    expect(event.event_end_timestamp).toBeGreaterThan(event.event_start_timestamp);
    expect(event.event_end_timestamp).toBeLessThanOrEqual(end);
    if ('user_speed_mph' in (event.event_data ?? {})) continue;
    expect(event.event_type).not.toBe(9);
  }
}

it('simulated trips are plausible, some trails have gaps, and event summaries are the sums of the trip events', () => {
  const trips = tripsOf(21);
  expect(trips.length).toBeGreaterThan(500);
  const gaps: number[] = [];
  for (const trip of trips) {
    expectPlausible(trip);
    const steps = Math.floor((trip.trip_end_time - trip.trip_start_time) / TRAIL_STEP_MILLISECONDS) + 1;
    gaps.push(steps - trip.trail_path.length);
    const seconds = (type: number) =>
      trip.events
        .filter((event) => event.event_type === type)
        .reduce((sum, event) => sum + event.event_end_timestamp - event.event_start_timestamp, 0) / 1000;
    if (!trip.event_summary) continue;
    expect(trip.event_summary.phone_use_time_seconds).toBe(seconds(7));
    expect(trip.event_summary.overspeeding_time_seconds).toBe(seconds(9));
  }
  expect(Math.min(...gaps)).toBe(0);
  expect(Math.max(...gaps)).toBeGreaterThan(20);
});

it('standard trips have exactly the requested points, and are distributed over drivers and days', () => {
  const options = { seed: 1, drivers: 50, days: 10, endDate: '2026-11-20' };
  const values = Array.from({ length: 500 }, (_, index) => standardTrip(index, options).value);
  expect(values.join('').length / 500).toBeGreaterThan(25_000);
  expect(values.join('').length / 500).toBeLessThan(28_000);
  const trips: TripProcessed[] = values.map((value) => JSON.parse(value));
  for (const trip of trips) {
    expect(trip.trail_path).toHaveLength(300);
    expect([1, 2, 3]).toContain(trip.events.length);
    expectPlausible(trip);
  }
  expect(JSON.parse(standardTrip(3, { ...options, points: 1200 }).value).trail_path).toHaveLength(1200);
  expect(standardTrip(7, options).value).toBe(values[7]);
  expect(new Set(trips.map((trip) => trip.source_trip_id)).size).toBe(500);
  expect(new Set(trips.map((trip) => trip.driver_id)).size).toBe(50);
  const days = new Set(trips.map((trip) => new Date(trip.trip_start_time).toISOString().slice(0, 10)));
  expect([...days].sort()).toEqual(Array.from({ length: 10 }, (_, day) => `2026-11-${day + 11}`));
});
