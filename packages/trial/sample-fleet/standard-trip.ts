import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { drawDriver } from './driver.ts';
import { drawEvents, EVENT_NAMES } from './events.ts';
import { DEFAULT_FLEET_ID, type FleetOptions } from './fleet.ts';
import { Random } from './random.ts';
import { drawRoad, TRAIL_STEP_MILLISECONDS } from './road.ts';
import { type SimulatedRecord, tripRecord } from './trip.ts';

/** `points` is the number of trail points per trip, by default 300. */
type StandardTripOptions = Omit<FleetOptions, 'now' | 'dirt'> & { points?: number | undefined };

const SALT = 0x57a4d;

/**
 * Returns the benchmarks' standard trip with number `index` (0, 1, 2, ...). The trip has exactly the requested number
 * of trail points, 1 to 3 trip events, an `event_summary` and no gaps. With 300 points, its JSON takes about 26 kB.
 * Trips are distributed over the drivers first and then over the days. The same options and index give the same bytes.
 * The drivers are the same as in `simulateFleet` with the same seed.
 */
export function standardTrip(index: number, options: StandardTripOptions): SimulatedRecord {
  const { seed, points = 300, fleetId = DEFAULT_FLEET_ID } = options;
  const random = new Random(seed, SALT, index);
  const driver = { ...drawDriver(seed, index % options.drivers, fleetId), terse: false };
  const firstDay = Date.parse(options.endDate) / MILLISECONDS_PER_DAY - options.days + 1;
  const day = firstDay + (Math.floor(index / options.drivers) % options.days);
  const durationMilliseconds = (points - 1) * TRAIL_STEP_MILLISECONDS;
  const miles = (durationMilliseconds / 3_600_000) * 24 * random.uniform(0.8, 1.2);
  const latestStart = Math.max(1, MILLISECONDS_PER_DAY - durationMilliseconds);
  const plan = {
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
  const road = drawRoad(random, plan, driver.home, false);
  const counts = { HARD_BRAKE: 0, RAPID_ACCELERATION: 0, OVERSPEEDING: 0, PHONE_USE: 0 };
  const eventCount = random.integer(1, 3);
  for (let event = 0; event < eventCount; event++) counts[random.pick(EVENT_NAMES)]++;
  return tripRecord(plan, road, drawEvents(random, counts, road, plan));
}
