import { parseRecord } from '@milepost/domain/records';
import type { TripDeleted } from '@milepost/domain/vocabulary';
import { beforeAll, describe, expect, it } from 'vitest';
import { BREAKAGES, deliveriesOf } from './dirt.ts';
import { drawDrivers } from './driver.ts';
import type { TripPlan } from './schedule.ts';
import { drawTrip } from './trip.ts';

const PLANS = 60_000;
const DAY = 86_400_000;
const START = Date.parse('2026-11-10T15:00:00.000Z');
const EARLIEST = START - 10 * DAY;
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

describe('dirt', () => {
  const counts = { late: 0, doubled: 0, figures: 0, day: 0, driver: 0, deleted: 0, broken: 0, overtaken: 0 };
  const deletions: { plan: TripPlan; key: string; record: TripDeleted }[] = [];

  beforeAll(() => {
    for (let index = 0; index < PLANS; index++) {
      const plan = tinyPlan(index);
      const deliveries = deliveriesOf(plan, true, DRIVERS, EARLIEST);
      const arrival = deliveries[0]?.time ?? 0;
      const delay = arrival - plan.startTime - plan.durationMilliseconds;
      if (delay > DAY) counts.late++;
      if (delay < 0 || delay > 11 * DAY) expect.fail(`The plan of seed ${index} arrives after ${delay} ms.`);
      for (const { time, draw } of deliveries.slice(1)) {
        const { key, value: text } = draw();
        const parsed = parseRecord(Buffer.from(text), START);
        if (time < arrival) counts.overtaken++;
        if (!parsed.ok) counts.broken++;
        else if (parsed.record.kind === 'trip.deleted') {
          counts.deleted++;
          deletions.push({ plan, key, record: parsed.record });
        } else if (parsed.record.kind !== 'trip.processed' || parsed.record.revision === 1) {
          expect(text).toBe(drawTrip(plan).value);
          counts.doubled++;
        } else if (parsed.record.driver_id !== plan.driver.profile.driver_id) counts.driver++;
        else if (parsed.record.trip_start_time !== plan.startTime) counts.day++;
        else {
          expect(parsed.record.duration_seconds).toBeLessThan(37);
          counts.figures++;
        }
      }
    }
  });

  it('delays 1 % of the trips by one to ten days', () => {
    expect((100 * counts.late) / PLANS).toBeCloseTo(1, 0);
    expect(Math.abs((100 * counts.late) / PLANS - 1)).toBeLessThan(0.1);
  });

  it('duplicates 0.5 % of the trips, corrects 0.2 %, deletes 0.1 % and breaks a few', () => {
    const corrected = counts.figures + counts.day + counts.driver;
    const percent = (count: number) => (100 * count) / PLANS;
    expect(Math.abs(percent(counts.doubled) - 0.5)).toBeLessThan(0.08);
    expect(Math.abs(percent(corrected) - 0.2)).toBeLessThan(0.05);
    expect(Math.abs(percent(counts.deleted) - 0.1)).toBeLessThan(0.04);
    expect(Math.abs(percent(counts.broken) - 0.05)).toBeLessThan(0.03);
  });

  it('moves some corrected trips to another day or driver, and delivers some corrections before the original', () => {
    const corrected = counts.figures + counts.day + counts.driver;
    expect(counts.day / corrected).toBeGreaterThan(0.15);
    expect(counts.driver / corrected).toBeGreaterThan(0.15);
    expect(counts.figures / corrected).toBeGreaterThan(0.35);
    expect(counts.overtaken).toBeGreaterThan(0);
  });

  it('deletes a trip with its next revision, because the log refuses a deletion with the revision of the trip', () => {
    expect(deletions.length).toBeGreaterThan(0);
    for (const { plan, key, record } of deletions) {
      const { fleet_id } = plan.driver.profile;
      const revision = plan.revision + 1;
      expect(record).toEqual({ kind: 'trip.deleted', fleet_id, source_trip_id: plan.sourceTripId, revision });
      expect(key).toBe(drawTrip(plan).key);
    }
  });

  it('never moves a trip to a day before the simulated days', () => {
    for (let index = 0; index < PLANS; index++) {
      for (const { draw } of deliveriesOf(tinyPlan(index), true, DRIVERS, START).slice(1)) {
        const parsed = parseRecord(Buffer.from(draw().value), START);
        if (!parsed.ok || parsed.record.kind !== 'trip.processed') continue;
        expect(parsed.record.trip_start_time).toBe(START);
      }
    }
  });

  it('changes nothing when it is disabled', () => {
    const deliveries = deliveriesOf(tinyPlan(1), false, DRIVERS, EARLIEST);
    expect(deliveries.map(({ time }) => time)).toEqual([START + 36_500]);
  });

  it.each(BREAKAGES.map((breakage, number) => ({ breakage, number })))(
    'breaks a record by rule $number so that it is refused',
    ({ breakage }) => {
      const text = drawTrip(tinyPlan(3)).value;
      expect(parseRecord(Buffer.from(text), START).ok).toBe(true);
      expect(parseRecord(Buffer.from(breakage(text)), START).ok).toBe(false);
    },
  );
});
