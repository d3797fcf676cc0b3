import type { TripDetail } from '@milepost/client';
import { type Fact, Facts } from '../../shared/facts.tsx';
import { distanceText, durationText, timesText } from '../../shared/format.ts';
import { Moment } from '../../shared/moment.tsx';
import { units } from '../../shared/preferences.ts';
import { FocusAreas } from '../grade.tsx';
import { hrefOf } from '../route.ts';

/** The facts about a trip, such as its driver, times and distance. */
export function TripFacts({ trip }: { trip: TripDetail }) {
  const { event_summary: events, driver_id: driverId, insurance_period } = trip;
  const distance = (miles: number) => distanceText(units.value, miles);
  const facts: Fact[] = [
    ['Driver', <a href={hrefOf({ view: 'driver', driverId })}>{driverId}</a>],
    ['Start (UTC)', <Moment at={trip.trip_start_time} seconds />],
    ['End (UTC)', <Moment at={trip.trip_end_time} seconds />],
    ['Duration', durationText(trip.duration_seconds)],
    ['Distance', distance(trip.distance_miles)],
    ['Highway', distance(trip.highway_miles)],
    ['At night', `${durationText(trip.night_driving_seconds)}, ${distance(trip.night_driving_miles)}`],
    ['Phone use', timesText(events.phone_use_count, events.phone_use_time_seconds)],
    ['Overspeeding', timesText(events.overspeeding_count, events.overspeeding_time_seconds)],
    ['Hard brakes', timesText(events.hard_brake_count)],
    ['Rapid accelerations', timesText(events.rapid_acceleration_count)],
    ...(insurance_period === null ? [] : [['Insurance period', insurance_period] satisfies Fact]),
    ['Focus areas', <FocusAreas focus={{ ...trip.focus_area }} />],
  ];
  return <Facts facts={facts} />;
}
