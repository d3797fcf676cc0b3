/** The records of a whole fleet over a span of days, in the order in which the pipeline would deliver them. */

import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { type Delivery, deliveriesOf } from './dirt.ts';
import { type Driver, drawDrivers } from './driver.ts';
import { planDay } from './schedule.ts';
import type { SimulatedRecord } from './trip.ts';

export const DEFAULT_FLEET_ID = 'sunrise-delivery';

interface FleetOptions {
  seed: number;
  drivers: number;
  days: number;
  /** The last UTC day with trips (YYYY-MM-DD). */
  endDate: string;
  /** The time after which no trip ends, in epoch milliseconds. The default is the end of `endDate`. */
  now?: number;
  fleetId?: string;
  /**
   * Whether there are late, duplicate, corrected, deleted, broken and out-of-order records. The default is true. If it
   * is false, each trip occurs once, and the trips are ordered by their end.
   */
  dirt?: boolean;
}

/** Returns the number of days from 1970-01-01 to a date YYYY-MM-DD. */
export function dayNumber(date: string): number {
  const time = Date.parse(`${date}T00:00:00.000Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(time)) {
    throw new Error(`The end date "${date}" is not a date of the form YYYY-MM-DD.`);
  }
  return time / MILLISECONDS_PER_DAY;
}

function profileRecord({ profile }: Driver): SimulatedRecord {
  return { topic: 'drivers', key: `${profile.fleet_id}/${profile.driver_id}`, value: JSON.stringify(profile) };
}

/**
 * Yields all records of one fleet, first every driver's profile and then the trips in the order of their delivery.
 * Records that are still pending at the end are delivered then. The same options give the same bytes. Memory contains
 * only the plans of the few pending trips and never their trails. Throws if `endDate` is not a valid date.
 */
export function* simulateFleet(options: FleetOptions): Generator<SimulatedRecord> {
  const { seed, fleetId = DEFAULT_FLEET_ID, dirt = true } = options;
  const lastDay = dayNumber(options.endDate);
  const earliest = (lastDay - options.days + 1) * MILLISECONDS_PER_DAY;
  const lastMidnight = (lastDay + 1) * MILLISECONDS_PER_DAY;
  const now = options.now ?? lastMidnight;
  const drivers = drawDrivers(seed, options.drivers, fleetId);
  for (const driver of drivers) yield profileRecord(driver);
  const driving = drivers.filter((driver) => !driver.neverDrove);

  let waiting: Delivery[] = [];
  const freeFrom = new Map<Driver, number>();
  // US time zones are behind UTC, so the first UTC day begins in the evening of the previous local day.
  for (let day = earliest / MILLISECONDS_PER_DAY - 1; day <= lastDay; day++) {
    for (const driver of driving) {
      for (const plan of planDay(seed, driver, day, freeFrom.get(driver) ?? 0)) {
        const endTime = plan.startTime + plan.durationMilliseconds;
        freeFrom.set(driver, endTime);
        if (plan.startTime < earliest || plan.startTime >= lastMidnight || endTime > now) continue;
        waiting.push(...deliveriesOf(plan, dirt, driving, earliest));
      }
    }
    // No trip of the next local day can begin or arrive before the next UTC day begins.
    const until = day < lastDay ? (day + 1) * MILLISECONDS_PER_DAY : Number.POSITIVE_INFINITY;
    // Records with the same time keep the order of their plans.
    const due = waiting.filter(({ time }) => time < until).sort((one, other) => one.time - other.time);
    waiting = waiting.filter(({ time }) => time >= until);
    for (const delivery of due) yield delivery.draw();
  }
}
