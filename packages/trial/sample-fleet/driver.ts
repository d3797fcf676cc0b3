/** The fleet's drivers: who they are, how often they drive, and how risky their driving is. */

import type { DriverProfile, TripEventName } from '@milepost/domain/vocabulary';
import {
  DRIVER_TYPE_SHARES,
  type DriverType,
  EVENT_RATES,
  forEachEvent,
  IDLE_DAY_SHARE,
  NEVER_DROVE_SHARE,
  NULL_NAMES_SHARE,
  POOL_CAR_EVERY,
  RISK_CORRELATION,
  SHIFT,
  TERSE_SHARE,
  TRACKED_SHARE,
  UNUSUAL_ID_SHARE,
} from './figures.ts';
import { driverId, driverProfile } from './profile.ts';
import { gammaFromNormal, Random } from './random.ts';
import { TOWNS, type Town } from './towns.ts';

/** Events per 100 miles, by name. */
export type EventRates = Record<TripEventName, number>;

export interface Driver {
  index: number;
  profile: DriverProfile;
  type: DriverType;
  town: Town;
  homeLatitude: number;
  homeLongitude: number;
  neverDrove: boolean;
  idleDayShare: number;
  /** The two days off in a week, as weekdays where 0 is Sunday. */
  daysOff: readonly [number, number];
  shiftStartHour: number;
  rates: EventRates;
  terse: boolean;
  /** Where the tracking ids of the driver's trips come from. Rides always have their own. */
  tracking: 'none' | 'own' | 'pool_car';
}

const SALT = 0xd417;
const HOME_SPREAD_DEGREES = 0.08;

/**
 * Returns the quantile (0 to 1) of driver `index` for one trait, which is a multiple of an irrational number modulo 1.
 * Because such multiples are spread evenly, a fleet of twenty drivers shows the specified shares almost as well as a
 * fleet of a thousand.
 */
function evenShare(index: number, irrational: number, start: number): number {
  return (start + index * irrational) % 1;
}

function drawRates(random: Random): EventRates {
  const risk = random.normal();
  return forEachEvent((name) => {
    const z = Math.sqrt(RISK_CORRELATION) * risk + Math.sqrt(1 - RISK_CORRELATION) * random.normal();
    return gammaFromNormal(z, EVENT_RATES[name].mean, EVENT_RATES[name].variation);
  });
}

function typeOf(share: number): DriverType {
  if (share < DRIVER_TYPE_SHARES.office_car) return 'office_car';
  return share < DRIVER_TYPE_SHARES.office_car + DRIVER_TYPE_SHARES.field_service ? 'field_service' : 'ride_hail';
}

/**
 * Returns driver `index` before pool cars are assigned. The driver depends only on the seed, not on the fleet's size.
 */
export function drawDriver(seed: number, index: number, fleetId: string): Driver {
  const fleet = new Random(seed, SALT);
  const random = new Random(seed, SALT, index);
  const type = typeOf(evenShare(index, (Math.sqrt(5) - 1) / 2, fleet.uniform()));
  const neverDrove = evenShare(index, Math.SQRT2 - 1, fleet.uniform()) < NEVER_DROVE_SHARE;
  const nullNames = evenShare(index, Math.sqrt(3) - 1, fleet.uniform()) < NULL_NAMES_SHARE;
  const unusualId = evenShare(index, Math.sqrt(7) - 2, fleet.uniform()) < UNUSUAL_ID_SHARE;
  const town = random.pick<Town>(TOWNS);
  const firstDayOff = type === 'ride_hail' ? random.integer(0, 6) : 6;
  return {
    index,
    profile: driverProfile(random, { fleetId, driverId: driverId(index, unusualId), index, nullNames }),
    type,
    town,
    homeLatitude: town.latitude + HOME_SPREAD_DEGREES * random.normal(),
    homeLongitude: town.longitude + HOME_SPREAD_DEGREES * random.normal(),
    neverDrove,
    idleDayShare: random.uniform(IDLE_DAY_SHARE.lowest, IDLE_DAY_SHARE.highest),
    daysOff: [firstDayOff, (firstDayOff + 1) % 7],
    shiftStartHour: SHIFT[type].startHour + SHIFT[type].spreadHours * random.normal(),
    rates: drawRates(random),
    terse: random.chance(TERSE_SHARE),
    tracking: random.chance(TRACKED_SHARE) ? 'own' : 'none',
  };
}

/** Returns all drivers of the fleet, in order. Every `POOL_CAR_EVERY`-th driver without passengers has a pool car. */
export function drawDrivers(seed: number, count: number, fleetId: string): Driver[] {
  const drivers = Array.from({ length: count }, (_, index) => drawDriver(seed, index, fleetId));
  const candidates = drivers.filter((driver) => driver.type !== 'ride_hail' && !driver.neverDrove);
  for (const [place, driver] of candidates.entries()) {
    if (place % POOL_CAR_EVERY === 0) driver.tracking = 'pool_car';
  }
  return drivers;
}
