import type { TripDetail, TripEvent } from '@milepost/client';
import { clockText } from '../../shared/calendar-text.ts';
import { durationText, speedText } from '../../shared/format.ts';
import type { Units } from '../../shared/preferences.ts';
import { eventTitle } from '../names.ts';
import type { MapTrip } from './map.ts';
import { isPlace, sortedPlaces, speedingSections } from './path.ts';

/** The speeds of an overspeeding event as text; empty for any other trip event. */
export function eventFacts({ event_data }: TripEvent, units: Units): string {
  const { user_speed_mph, speed_limit_mph, max_user_speed_mph } = event_data;
  if (user_speed_mph === undefined || speed_limit_mph === undefined || max_user_speed_mph === undefined) return '';
  const [speed, max, limit] = [user_speed_mph, max_user_speed_mph, speed_limit_mph].map((mph) => speedText(units, mph));
  return `${speed} (max ${max}) where the limit is ${limit}`;
}

/** A trip event's duration in seconds; 0 if the event ends before it starts. */
export function eventSeconds({ event_start_timestamp, event_end_timestamp }: TripEvent): number {
  return Math.max(0, event_end_timestamp - event_start_timestamp) / 1_000;
}

/** Whether a trip event starts at a place that the map can show. */
export function isEventOnMap({ event_start_latitude, event_start_longitude }: TripEvent): boolean {
  return isPlace(event_start_latitude, event_start_longitude);
}

/** Converts a trip to the data that the map draws. */
export function mapTrip(trip: TripDetail, units: Units, name: string): MapTrip {
  const trail = sortedPlaces(trip.trail_path);
  return {
    name,
    path: trail.map(({ latitude, longitude }) => [latitude, longitude]),
    speeding: speedingSections(trail, trip.events),
    start: [trip.start_latitude, trip.start_longitude],
    end: [trip.end_latitude, trip.end_longitude],
    events: trip.events.map((event) => ({
      place: isEventOnMap(event) ? [event.event_start_latitude, event.event_start_longitude] : null,
      letter: eventTitle(event.event_name).slice(0, 1),
      title: `${eventTitle(event.event_name)} at ${clockText(event.event_start_timestamp)} UTC`,
      lines: [`For ${durationText(eventSeconds(event))}`, eventFacts(event, units)].filter((line) => line !== ''),
    })),
  };
}
