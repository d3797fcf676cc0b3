/**
 * The standard trip of the benchmarks, which has an exact number of trail points. With 300 points, it takes about 26 kB
 * of JSON.
 */

import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { drawDriver } from './driver.ts';
import { drawEvents } from './events.ts';
import { EVENT_NAMES, forEachEvent, TRAIL_STEP_MILLISECONDS } from './figures.ts';
import { DEFAULT_FLEET_ID, dayNumber } from './fleet.ts';
import { Random } from './random.ts';
import { drawRoad } from './road.ts';
import type { TripPlan } from './schedule.ts';
import { keyOf, type SimulatedRecord, tripJson } from './trip.ts';

interface StandardTripOptions {
  seed: number;
  drivers: number;
  days: number;
  /** The last UTC day on which trips begin (YYYY-MM-DD). */
  endDate: string;
  /** The number of trail points of each trip; 300 by default. */
  points?: number;
  fleetId?: string;
}

const SALT = 0x57a4d;
const MILES_AN_HOUR = 24;

/**
 * Returns standard trip `index` (0, 1, 2, ...), which has 1 to 3 trip events, an `event_summary` and no gaps. Trips are
 * distributed over the drivers first and then over the days. The same options and index give the same bytes. The
 * drivers are those of `simulateFleet` with the same seed.
 */
export function standardTrip(index: number, options: StandardTripOptions): SimulatedRecord {
  const { seed, points = 300, fleetId = DEFAULT_FLEET_ID } = options;
  const random = new Random(seed, SALT, index);
  const driver = { ...drawDriver(seed, index % options.drivers, fleetId), terse: false };
  const firstDay = dayNumber(options.endDate) - options.days + 1;
  const day = firstDay + (Math.floor(index / options.drivers) % options.days);
  const durationMilliseconds = (points - 1) * TRAIL_STEP_MILLISECONDS;
  const miles = (durationMilliseconds / 3_600_000) * MILES_AN_HOUR * random.uniform(0.8, 1.2);
  const latestStart = Math.max(1, MILLISECONDS_PER_DAY - durationMilliseconds);
  const plan: TripPlan = {
    driver,
    sourceTripId: `standard-${index + 1}`,
    revision: 1,
    seed: 0,
    startTime: day * MILLISECONDS_PER_DAY + Math.floor(random.uniform(0, latestStart)),
    durationMilliseconds,
    miles,
    correctionFactor: 1,
    insurancePeriod: null,
    trackingId: null,
  };
  const road = drawRoad(random, {
    startLatitude: driver.homeLatitude,
    startLongitude: driver.homeLongitude,
    miles,
    steps: points,
    interruptions: false,
  });
  const counts = forEachEvent(() => 0);
  const eventCount = random.integer(1, 3);
  for (let event = 0; event < eventCount; event++) counts[random.pick(EVENT_NAMES)]++;
  return { topic: 'trips', key: keyOf(plan), value: tripJson(plan, road, drawEvents(random, counts, road, plan)) };
}
