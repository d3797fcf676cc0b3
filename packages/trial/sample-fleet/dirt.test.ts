import { parseRecord } from '@milepost/domain/records';
import { expect, it } from 'vitest';
import { BREAKAGES, deliveriesOf } from './dirt.ts';
import { drawDrivers } from './driver.ts';
import type { TripPlan } from './schedule.ts';
import { drawTrip } from './trip.ts';

const PLANS = 60_000;
const DAY = 86_400_000;
const START = Date.parse('2026-11-10T15:00:00.000Z');
const DRIVERS = drawDrivers(31, 20, 'fleet');

/** Returns the plan of a tiny trip, so that tens of thousands of trips can be generated quickly. */
function tinyPlan(index: number): TripPlan {
  const driver = DRIVERS[index % DRIVERS.length];
  if (!driver) throw new Error('There are no drivers.');
  return {
    ...{ driver, sourceTripId: `trip-${index}`, revision: 1, seed: index, startTime: START, correctionFactor: 1 },
    ...{ durationMilliseconds: 36_500, miles: 0.2, insurancePeriod: null, trackingId: null },
  };
}

it('the trips are late, duplicated, corrected, deleted and broken in the specified shares', () => {
  const counts = { late: 0, duplicated: 0, corrected: 0, deleted: 0, broken: 0 };
  const moves = { day: 0, driver: 0, early: 0 };
  for (let index = 0; index < PLANS; index++) {
    const plan = tinyPlan(index);
    // The first half of the trips are on the first simulated day. A correction must not move a trip to the day before.
    const isFirstDay = index < PLANS / 2;
    const deliveries = deliveriesOf(plan, true, DRIVERS, isFirstDay ? START : START - 10 * DAY);
    const arrival = deliveries[0]?.time ?? 0;
    const delay = arrival - plan.startTime - plan.durationMilliseconds;
    if (delay > DAY) counts.late++;
    if (delay < 0 || delay > 11 * DAY) expect.fail(`The plan of seed ${index} arrives after ${delay} ms.`);
    for (const { time, draw } of deliveries.slice(1)) {
      const { key, value: text } = draw();
      const parsed = parseRecord(Buffer.from(text), START);
      if (time < arrival) moves.early++;
      if (!parsed.ok) counts.broken++;
      else if (parsed.record.kind === 'trip.deleted') {
        counts.deleted++;
        const { fleet_id } = plan.driver.profile;
        // The log refuses a deletion with the same revision as the trip.
        const expected = { kind: 'trip.deleted', fleet_id, source_trip_id: plan.sourceTripId, revision: 2 };
        expect(parsed.record).toEqual(expected);
        expect(key).toBe(drawTrip(plan).key);
      } else if (parsed.record.kind !== 'trip.processed' || parsed.record.revision === 1) {
        expect(text).toBe(drawTrip(plan).value);
        counts.duplicated++;
      } else {
        counts.corrected++;
        expect(parsed.record.duration_seconds).toBeLessThan(37);
        if (parsed.record.driver_id !== plan.driver.profile.driver_id) moves.driver++;
        if (parsed.record.trip_start_time !== START) moves.day += isFirstDay ? Number.NaN : 1;
      }
    }
  }
  const specified = { late: 0.01, duplicated: 0.005, corrected: 0.002, deleted: 0.001, broken: 0.0005 };
  for (const name of ['late', 'duplicated', 'corrected', 'deleted', 'broken'] as const) {
    const expected = specified[name] * PLANS;
    expect(Math.abs(counts[name] - expected), name).toBeLessThan(4 * Math.sqrt(expected));
  }
  expect(moves.day / counts.corrected).toBeGreaterThan(0.05);
  expect(moves.driver / counts.corrected).toBeGreaterThan(0.15);
  expect(moves.early).toBeGreaterThan(0);
});

it.each(BREAKAGES.map((breakage, number) => ({ breakage, number })))(
  'a record with breakage $number is refused',
  ({ breakage }) => {
    const text = drawTrip(tinyPlan(3)).value;
    expect(parseRecord(Buffer.from(text), START).ok).toBe(true);
    expect(parseRecord(Buffer.from(breakage(text)), START).ok).toBe(false);
  },
);
