/** The trip events of a trip: how many there are, when and where they happen, and how long they last. */

import { TRIP_EVENT_TYPES, type TripEvent, type TripEventName } from '@milepost/domain/vocabulary';
import type { EventRates } from './driver.ts';
import {
  CITY_LIMITS_MPH,
  EVENT_NAMES,
  EVENT_SECONDS_SIGMA,
  forEachEvent,
  HARSH_EVENT_SECONDS,
  HIGHWAY_LIMITS_MPH,
  OVERSPEEDING_MPH,
  OVERSPEEDING_SECONDS,
  PHONE_USE_SECONDS,
  TRAIL_STEP_MILLISECONDS,
} from './figures.ts';
import type { Random } from './random.ts';
import type { Road } from './road.ts';

interface EventSpan {
  startTime: number;
  durationMilliseconds: number;
}

function drawSeconds(random: Random, name: TripEventName): number {
  if (name !== 'PHONE_USE' && name !== 'OVERSPEEDING') {
    return random.uniform(HARSH_EVENT_SECONDS.lowest, HARSH_EVENT_SECONDS.highest);
  }
  const seconds = name === 'PHONE_USE' ? PHONE_USE_SECONDS : OVERSPEEDING_SECONDS;
  return Math.min(seconds.highest, Math.max(seconds.lowest, random.lognormal(seconds.median, EVENT_SECONDS_SIGMA)));
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}

function drawSpeeding(random: Random, onHighway: boolean) {
  const limit = random.pick(onHighway ? HIGHWAY_LIMITS_MPH : CITY_LIMITS_MPH);
  const speed = limit + OVERSPEEDING_MPH.over + random.exponential(OVERSPEEDING_MPH.mean);
  return {
    user_speed_mph: oneDecimal(speed),
    speed_limit_mph: limit,
    max_user_speed_mph: oneDecimal(speed + random.exponential(OVERSPEEDING_MPH.highestMean)),
  };
}

/**
 * Draws a trip event of the given type inside a slot of the trip, so that two trip events of one type never overlap.
 */
function drawEvent(
  random: Random,
  name: TripEventName,
  road: Road,
  slotStart: number,
  slot: number,
  tripStart: number,
) {
  const duration = Math.min(slot, Math.round(drawSeconds(random, name) * 1000));
  const start = slotStart + Math.floor(random.uniform(0, slot - duration));
  const last = road.recorded.length - 1;
  const startStep = Math.min(last, Math.round(start / TRAIL_STEP_MILLISECONDS));
  const endStep = Math.min(last, Math.round((start + duration) / TRAIL_STEP_MILLISECONDS));
  return {
    event_type: TRIP_EVENT_TYPES[name],
    event_name: name,
    event_start_timestamp: tripStart + start,
    event_end_timestamp: tripStart + start + duration,
    event_start_latitude: (road.latitude[startStep] ?? 0) / 1e6,
    event_start_longitude: (road.longitude[startStep] ?? 0) / 1e6,
    event_end_latitude: (road.latitude[endStep] ?? 0) / 1e6,
    event_end_longitude: (road.longitude[endStep] ?? 0) / 1e6,
    event_data: name === 'OVERSPEEDING' ? drawSpeeding(random, road.onHighway[startStep] === 1) : {},
  } satisfies TripEvent;
}

/** Draws the given number of trip events for each name, in the order of their start. */
export function drawEvents(
  random: Random,
  counts: Record<TripEventName, number>,
  road: Road,
  span: EventSpan,
): TripEvent[] {
  const events: TripEvent[] = [];
  for (const name of EVENT_NAMES) {
    const slot = Math.floor(span.durationMilliseconds / counts[name]);
    for (let number = 0; number < counts[name]; number++) {
      events.push(drawEvent(random, name, road, number * slot, slot, span.startTime));
    }
  }
  return events.sort((one, other) => one.event_start_timestamp - other.event_start_timestamp);
}

/** Draws Poisson counts over the miles of a trip, at the driver's rates per 100 miles. */
export function drawEventCounts(random: Random, rates: EventRates, miles: number): Record<TripEventName, number> {
  return forEachEvent((name) => random.poisson((rates[name] * miles) / 100));
}
