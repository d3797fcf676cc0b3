import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { type Delivery, deliveriesOf } from './dirt.ts';
import { type Driver, drawDrivers } from './driver.ts';
import { planDay } from './schedule.ts';
import { keyOf, type SimulatedRecord } from './trip.ts';

export const DEFAULT_FLEET_ID = 'sunrise-delivery';

export interface FleetOptions {
  seed: number;
  drivers: number;
  days: number;
  /** The last UTC day with trips (YYYY-MM-DD). */
  endDate: string;
  /** The time by which all trips have ended, in epoch milliseconds. The default is the end of `endDate`. */
  now?: number;
  fleetId?: string | undefined;
  /**
   * Whether there are late, duplicate, corrected, deleted, broken and out-of-order records. The default is true. If it
   * is false, each trip occurs once, and the trips are ordered by end time.
   */
  dirt?: boolean;
}

/**
 * Yields all records of one fleet, first every driver's profile and then the trips in the order of their delivery.
 * Records that are still pending after the last day are delivered at the end. The same options give the same bytes.
 * Only the plans of the few pending trips are kept in memory, never their trails.
 */
export function* simulateFleet(options: FleetOptions): Generator<SimulatedRecord> {
  const { seed, fleetId = DEFAULT_FLEET_ID, dirt = true } = options;
  const lastDay = Date.parse(options.endDate) / MILLISECONDS_PER_DAY;
  const earliest = (lastDay - options.days + 1) * MILLISECONDS_PER_DAY;
  const lastMidnight = (lastDay + 1) * MILLISECONDS_PER_DAY;
  const now = options.now ?? lastMidnight;
  const drivers = drawDrivers(seed, options.drivers, fleetId);
  for (const { profile } of drivers) {
    yield { topic: 'drivers', key: keyOf(profile), value: JSON.stringify(profile) };
  }
  const driving = drivers.filter((driver) => !driver.neverDrove);

  let waiting: Delivery[] = [];
  const freeFrom = new Map<Driver, number>();
  // US time zones are behind UTC, so the first UTC day begins on the evening of the previous local day.
  for (let day = earliest / MILLISECONDS_PER_DAY - 1; day <= lastDay; day++) {
    for (const driver of driving) {
      for (const plan of planDay(seed, driver, day, freeFrom.get(driver) ?? 0)) {
        const endTime = plan.startTime + plan.durationMilliseconds;
        freeFrom.set(driver, endTime);
        if (plan.startTime < earliest || plan.startTime >= lastMidnight || endTime > now) continue;
        waiting.push(...deliveriesOf(plan, dirt, driving, earliest));
      }
    }
    // Trips on the next local day cannot begin or arrive before the next UTC day begins.
    const until = day < lastDay ? (day + 1) * MILLISECONDS_PER_DAY : Number.POSITIVE_INFINITY;
    // Records with the same time keep the order of their plans.
    const due = waiting.filter(({ time }) => time < until).sort((one, other) => one.time - other.time);
    waiting = waiting.filter(({ time }) => time >= until);
    for (const delivery of due) yield delivery.draw();
  }
}
