import { TRIP_EVENT_TYPES, type TripEvent, type TripEventName } from '@milepost/domain/vocabulary';
import { decimals, type Random } from './random.ts';
import { type Place, placeAt } from './road.ts';
import type { TripPlan } from './schedule.ts';

export const EVENT_NAMES = ['HARD_BRAKE', 'RAPID_ACCELERATION', 'OVERSPEEDING', 'PHONE_USE'] as const;

function drawSeconds(random: Random, name: TripEventName): number {
  if (name === 'PHONE_USE') return random.lognormal(20, 0.9, 3, 300);
  if (name === 'OVERSPEEDING') return random.lognormal(25, 0.9, 10, 240);
  return random.uniform(1, 3);
}

function drawSpeeding(random: Random, onHighway: boolean) {
  const limit = random.pick(onHighway ? [55, 65, 70] : [25, 30, 35, 45]);
  const speed = limit + 5 + random.exponential(5);
  return {
    user_speed_mph: decimals(speed, 1),
    speed_limit_mph: limit,
    max_user_speed_mph: decimals(speed + random.exponential(3), 1),
  };
}

/**
 * Generates the given number of trip events for each name, ordered by start time. Each trip event has its own slot in
 * the trip, so that two trip events of the same type never overlap.
 */
export function drawEvents(
  random: Random,
  counts: Record<TripEventName, number>,
  road: readonly Place[],
  { startTime, durationMilliseconds }: TripPlan,
): TripEvent[] {
  const events: TripEvent[] = [];
  for (const name of EVENT_NAMES) {
    const slot = Math.floor(durationMilliseconds / counts[name]);
    for (let number = 0; number < counts[name]; number++) {
      const duration = Math.min(slot, Math.round(drawSeconds(random, name) * 1000));
      const start = number * slot + Math.floor(random.uniform(0, slot - duration));
      const [from, to] = [placeAt(road, start), placeAt(road, start + duration)];
      events.push({
        event_type: TRIP_EVENT_TYPES[name],
        event_name: name,
        event_start_timestamp: startTime + start,
        event_end_timestamp: startTime + start + duration,
        event_start_latitude: from.latitude,
        event_start_longitude: from.longitude,
        event_end_latitude: to.latitude,
        event_end_longitude: to.longitude,
        event_data: name === 'OVERSPEEDING' ? drawSpeeding(random, from.onHighway) : {},
      });
    }
  }
  return events.sort((one, other) => one.event_start_timestamp - other.event_start_timestamp);
}
