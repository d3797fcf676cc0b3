import type { DriverProfile, TripEventName } from '@milepost/domain/vocabulary';
import { Random } from './random.ts';
import { TOWNS } from './towns.ts';

type DriverType = 'office_car' | 'field_service' | 'ride_hail';

export interface Driver {
  index: number;
  profile: DriverProfile;
  type: DriverType;
  timeZone: string;
  home: { latitude: number; longitude: number };
  neverDrove: boolean;
  /** The fraction of the driver's working days on which there are no trips. */
  idleDayShare: number;
  /** The two days off in a week, as weekdays where 0 is Sunday. */
  daysOff: readonly [number, number];
  /** The local hour at which a working day usually begins. */
  shiftStartHour: number;
  /** Trip events per 100 miles. */
  rates: Record<TripEventName, number>;
  /** Whether the driver's SDK omits optional fields, such as `event_summary`, event names and empty event data. */
  terse: boolean;
  /** Where the tracking ids of the driver's trips come from. Rides always have their own ids. */
  tracking: 'none' | 'own' | 'pool_car';
}

const SALT = 0xd417;
const FIRST_NAMES =
  'Ada Alonzo Beatriz Carlos Chloe Daniel Denise Elena Frank Gloria Hassan Ivy James Jing Kofi Latoya Linda Luis Maria Marcus Nadia Omar Priya Quinn Rosa Samuel Tomás Uma Victor Wanda Xavier Yolanda Zoë'.split(
    ' ',
  );
const LAST_NAMES =
  "Abbott Baker Chen Diaz Edwards Fischer Garcia Hughes Ibrahim Johnson Kim Lopez Martin Nguyen O'Brien Patel Quintero Reyes Smith Thompson Underwood Vargas Washington Xu Young Zimmerman".split(
    ' ',
  );
/** The hour at which shifts begin for each type of driver, as a mean and a standard deviation. */
const SHIFT_START = { office_car: [7.6, 0.8], field_service: [7, 0.7], ride_hail: [13, 4] } as const;
/** The correlation between a driver's four trip-event rates, which share one risk factor. */
const RISK_CORRELATION = 0.4;

/** Generates a profile at revision 1. Email and alias are sometimes null, even if the names are known. */
function drawProfile(
  random: Random,
  number: number,
  ids: Pick<DriverProfile, 'fleet_id' | 'driver_id'>,
  nullNames: boolean,
): DriverProfile {
  const first = random.pick(FIRST_NAMES);
  const last = random.pick(LAST_NAMES);
  const hasEmail = !random.chance(0.1) && !nullNames;
  const hasAlias = random.chance(0.3) && !nullNames;
  const mailbox = `${first}.${last}`
    .normalize('NFD')
    .replace(/[^A-Za-z.]/g, '')
    .toLowerCase();
  return {
    kind: 'driver.profile',
    ...ids,
    revision: 1,
    first_name: nullNames ? null : first,
    last_name: nullNames ? null : last,
    email: hasEmail ? `${mailbox}.${number}@example.com` : null,
    alias: hasAlias ? `Unit ${number}` : null,
  };
}

function drawRates(random: Random): Record<TripEventName, number> {
  const risk = random.normal();
  /** Draws from a gamma distribution by transforming a normal number (Wilson and Hilferty, 1931). */
  const draw = (mean: number, variation: number) => {
    const z = Math.sqrt(RISK_CORRELATION) * risk + Math.sqrt(1 - RISK_CORRELATION) * random.normal();
    const shape = 1 / variation ** 2;
    return mean * Math.max(0, 1 - 1 / (9 * shape) + z / (3 * Math.sqrt(shape))) ** 3;
  };
  const [HARD_BRAKE, RAPID_ACCELERATION] = [draw(1.9, 0.8), draw(1.5, 0.9)];
  return { HARD_BRAKE, RAPID_ACCELERATION, OVERSPEEDING: draw(5, 0.8), PHONE_USE: draw(5, 0.9) };
}

/**
 * Returns driver `index` before pool cars are assigned. The driver depends only on the seed, not on the fleet's size.
 */
export function drawDriver(seed: number, index: number, fleetId: string): Driver {
  const fleet = new Random(seed, SALT);
  const random = new Random(seed, SALT, index);
  // Multiples of an irrational number modulo 1 are spread evenly, so the shares are almost as exact in a fleet of
  // twenty drivers as in a fleet of a thousand.
  const quantile = (irrational: number) => (fleet.uniform() + index * irrational) % 1;
  const typeQuantile = quantile((Math.sqrt(5) - 1) / 2);
  const type = typeQuantile < 0.55 ? 'office_car' : typeQuantile < 0.85 ? 'field_service' : 'ride_hail';
  const neverDrove = quantile(Math.SQRT2 - 1) < 0.1;
  const nullNames = quantile(Math.sqrt(3) - 1) < 0.05;
  const isUnusual = quantile(Math.sqrt(7) - 2) < 0.04;
  const digits = String(index + 1).padStart(5, '0');
  const driver_id = isUnusual ? `depot north/${digits}, équipe 🚚` : `driver-${digits}`;
  const { latitude, longitude, timeZone } = random.pick(TOWNS);
  const firstDayOff = type === 'ride_hail' ? random.integer(0, 6) : 6;
  const [shiftStartHour, spreadHours] = SHIFT_START[type];
  return {
    index,
    profile: drawProfile(random, index + 1, { fleet_id: fleetId, driver_id }, nullNames),
    type,
    timeZone,
    home: { latitude: latitude + 0.08 * random.normal(), longitude: longitude + 0.08 * random.normal() },
    neverDrove,
    idleDayShare: random.uniform(0.15, 0.3),
    daysOff: [firstDayOff, (firstDayOff + 1) % 7],
    shiftStartHour: shiftStartHour + spreadHours * random.normal(),
    rates: drawRates(random),
    terse: random.chance(0.3),
    tracking: random.chance(0.35) ? 'own' : 'none',
  };
}

/** Returns all drivers of the fleet, in order. The first candidate, and every 30th after it, drives a pool car. */
export function drawDrivers(seed: number, count: number, fleetId: string): Driver[] {
  const drivers = Array.from({ length: count }, (_, index) => drawDriver(seed, index, fleetId));
  const candidates = drivers.filter((driver) => driver.type !== 'ride_hail' && !driver.neverDrove);
  for (const [place, driver] of candidates.entries()) if (place % 30 === 0) driver.tracking = 'pool_car';
  return drivers;
}
