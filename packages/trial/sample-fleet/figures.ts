/**
 * The numbers that define the sample fleet, except those that shape a road, which are in road.ts and speeds.ts. The
 * first part is the specification of the sample fleet, which tests check. The second part makes the records realistic
 * and may be changed freely.
 */

import type { TripEventName } from '@milepost/domain/vocabulary';

export type DriverType = 'office_car' | 'field_service' | 'ride_hail';

// ---- Specified: drivers and their days.

export const DRIVER_TYPE_SHARES = { office_car: 0.55, field_service: 0.3, ride_hail: 0.15 } as const;
/**
 * The mean number of trips on a day with driving; negative binomial. A ride-hail trip is one insurance period of a
 * ride.
 */
export const TRIPS_A_DAY = { office_car: 2.5, field_service: 6, ride_hail: 18 } as const;
export const TRIPS_A_DAY_VARIATION = 0.7;
/** The share of a driver's working days without any trip; uniform over the drivers. */
export const IDLE_DAY_SHARE = { lowest: 0.15, highest: 0.3 } as const;
export const NEVER_DROVE_SHARE = 0.1;
export const NULL_NAMES_SHARE = 0.05;

// ---- Specified: trips.

export const TRIP_MILES = { median: 5.5, sigma: 1.05, lowest: 0.1, highest: 150 } as const;
/** The mean speed is base + rise (1 - e^(-miles / scale)), times a lognormal factor (sigma). */
export const TRIP_SPEED_MPH = { base: 12, rise: 16, scaleMiles: 8, sigma: 0.2 } as const;
/** The highway's share of the miles is 0 up to `fromMiles` and rises linearly to `highestShare` at `toMiles`. */
export const HIGHWAY = { fromMiles: 3, toMiles: 30, highestShare: 0.7 } as const;
/** The length of the night, which begins at local midnight. */
export const NIGHT_HOURS = 4;
/** The mean miles of each insurance period of a ride. */
export const INSURANCE_PERIOD_MILES = { 1: 1.5, 2: 1.5, 3: 5.2 } as const;

// ---- Specified: trip events.

export const EVENT_NAMES = ['HARD_BRAKE', 'RAPID_ACCELERATION', 'OVERSPEEDING', 'PHONE_USE'] as const;

/** Draws a number for each name of a trip event, in this order. */
export function forEachEvent(draw: (name: TripEventName) => number): Record<TripEventName, number> {
  return {
    HARD_BRAKE: draw('HARD_BRAKE'),
    RAPID_ACCELERATION: draw('RAPID_ACCELERATION'),
    OVERSPEEDING: draw('OVERSPEEDING'),
    PHONE_USE: draw('PHONE_USE'),
  };
}

/** Trip events per 100 miles; gamma-distributed over the drivers. */
export const EVENT_RATES = {
  HARD_BRAKE: { mean: 1.9, variation: 0.8 },
  RAPID_ACCELERATION: { mean: 1.5, variation: 0.9 },
  OVERSPEEDING: { mean: 5, variation: 0.8 },
  PHONE_USE: { mean: 5, variation: 0.9 },
} as const;
/** The correlation of a driver's four rates, which share one risk factor. */
export const RISK_CORRELATION = 0.4;
export const PHONE_USE_SECONDS = { median: 20, lowest: 3, highest: 300 } as const;
export const OVERSPEEDING_SECONDS = { median: 25, lowest: 10, highest: 240 } as const;
export const HARSH_EVENT_SECONDS = { lowest: 1, highest: 3 } as const;
export const CITY_LIMITS_MPH = [25, 30, 35, 45] as const;
export const HIGHWAY_LIMITS_MPH = [55, 65, 70] as const;
/** The user speed is limit + over + Exp(mean). The highest speed is user speed + Exp(highestMean). */
export const OVERSPEEDING_MPH = { over: 5, mean: 5, highestMean: 3 } as const;

// ---- Specified: trails.

export const TRAIL_STEP_MILLISECONDS = 3000;
/** The root mean square of the distance between a recorded place and the road. */
export const POSITION_NOISE_METRES = 8;

// ---- Specified: delivery faults, as shares of the trips.

export const LATE = { share: 0.01, lowestDays: 1, highestDays: 10 } as const;
export const DUPLICATE_SHARE = 0.005;
export const CORRECTION_SHARE = 0.002;
export const DELETION_SHARE = 0.001;

// ---- Not specified: may be changed freely.

/** "A few" broken records: one in 2,000 trips. */
export const BROKEN_SHARE = 0.0005;
/**
 * The shares of the corrections that move the trip to another day or to another driver. The others change only
 * distances and durations.
 */
export const CORRECTION_MOVES = { dayShare: 0.25, driverShare: 0.25 } as const;
/**
 * The time from a trip's end to its delivery. It varies enough to change the order of trips, but stays below the 4
 * hours after which a trip becomes visible.
 */
export const PROCESSING_MINUTES = { median: 45, sigma: 0.5, lowest: 5, highest: 230 } as const;
/** The factor by which a correction multiplies the reported miles and seconds. */
export const CORRECTION_FACTOR = { lowest: 0.9, highest: 0.97 } as const;
export const CORRECTION_DELAY_HOURS = { lowest: 1, highest: 120 } as const;
export const DUPLICATE_DELAY_HOURS = { lowest: 0.01, highest: 48 } as const;

/** The spread of an insurance period's miles and of the seconds of phone use and overspeeding. */
export const INSURANCE_PERIOD_SIGMA = 0.7;
export const EVENT_SECONDS_SIGMA = 0.9;
/**
 * The local hour at which a working day begins (mean, and standard deviation over the drivers), and the length of the
 * working day in hours.
 */
export const SHIFT = {
  office_car: { startHour: 7.6, spreadHours: 0.8, hours: 10.5 },
  field_service: { startHour: 7, spreadHours: 0.7, hours: 9 },
  ride_hail: { startHour: 13, spreadHours: 4, hours: 8 },
} as const;
/** The mean pause between the insurance periods of a ride. */
export const RIDE_PAUSE_MINUTES = 1;
/** The share of drivers whose SDK omits optional fields, such as `event_summary`, event names and empty event data. */
export const TERSE_SHARE = 0.3;
/** The share of drivers (other than ride-hail drivers) whose app sets a separate tracking id for every trip. */
export const TRACKED_SHARE = 0.35;
/**
 * Of the drivers who drive and are not ride-hail drivers, the first and then every 30th share one constant tracking id.
 */
export const POOL_CAR_EVERY = 30;
export const POOL_CAR_TRACKING_ID = 'pool-car';
/** The share of drivers whose id has unusual but valid characters. */
export const UNUSUAL_ID_SHARE = 0.04;
