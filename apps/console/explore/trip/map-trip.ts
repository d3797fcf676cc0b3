import { clockText } from '../../shared/calendar-text.ts';
import { durationText, speedText } from '../../shared/format.ts';
import type { Units } from '../../shared/preferences.ts';
import { eventTitle } from '../names.ts';
import type { TripDetail, TripEvent } from '../reports.ts';
import type { MapTrip } from './map.ts';
import { inTime, speedingSections } from './path.ts';

/** What a trip event says beside its name, in a few words; empty for those that say nothing. */
export function eventFacts({ event_data }: TripEvent, units: Units): string {
  const { user_speed_mph, speed_limit_mph, max_user_speed_mph } = event_data;
  if (user_speed_mph === undefined || speed_limit_mph === undefined || max_user_speed_mph === undefined) return '';
  const [speed, most, limit] = [user_speed_mph, max_user_speed_mph, speed_limit_mph].map((mph) =>
    speedText(units, mph),
  );
  return `${speed}, at most ${most}, where ${limit} is allowed`;
}

/** How long a trip event took, in seconds. */
export function eventSeconds({ event_start_timestamp, event_end_timestamp }: TripEvent): number {
  return Math.max(0, event_end_timestamp - event_start_timestamp) / 1_000;
}

/** A trip as the map draws it. */
export function mapTrip(trip: TripDetail, units: Units, name: string): MapTrip {
  const trail = inTime(trip.trail_path);
  return {
    name,
    path: trail.map(({ latitude, longitude }) => [latitude, longitude]),
    speeding: speedingSections(trail, trip.events),
    start: [trip.start_latitude, trip.start_longitude],
    end: [trip.end_latitude, trip.end_longitude],
    events: trip.events.map((event) => ({
      place: [event.event_start_latitude, event.event_start_longitude],
      letter: eventTitle(event.event_name).slice(0, 1),
      title: `${eventTitle(event.event_name)} at ${clockText(event.event_start_timestamp)} UTC`,
      lines: [`For ${durationText(eventSeconds(event))}`, eventFacts(event, units)].filter((line) => line !== ''),
    })),
  };
}
