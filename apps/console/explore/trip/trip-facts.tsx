import type { TripDetail } from '@milepost/client';
import { distanceText, durationText, timesText } from '../../shared/format.ts';
import { Moment } from '../../shared/moment.tsx';
import { units } from '../../shared/preferences.ts';
import { FocusAreas } from '../grade.tsx';
import { hrefOf } from '../route.ts';

/** The facts about a trip, such as its driver, times and distance. */
export function TripFacts({ trip }: { trip: TripDetail }) {
  const { event_summary: events } = trip;
  return (
    <dl class="facts">
      <div>
        <dt>Driver</dt>
        <dd>
          <a href={hrefOf({ view: 'driver', driverId: trip.driver_id, from: null, through: null })}>{trip.driver_id}</a>
        </dd>
      </div>
      <div>
        <dt>Start (UTC)</dt>
        <dd>
          <Moment at={trip.trip_start_time} seconds />
        </dd>
      </div>
      <div>
        <dt>End (UTC)</dt>
        <dd>
          <Moment at={trip.trip_end_time} seconds />
        </dd>
      </div>
      <div>
        <dt>Duration</dt>
        <dd>{durationText(trip.duration_seconds)}</dd>
      </div>
      <div>
        <dt>Distance</dt>
        <dd>{distanceText(units.value, trip.distance_miles)}</dd>
      </div>
      <div>
        <dt>Highway</dt>
        <dd>{distanceText(units.value, trip.highway_miles)}</dd>
      </div>
      <div>
        <dt>At night</dt>
        <dd>
          {durationText(trip.night_driving_seconds)}, {distanceText(units.value, trip.night_driving_miles)}
        </dd>
      </div>
      <div>
        <dt>Phone use</dt>
        <dd>{timesText(events.phone_use_count, events.phone_use_time_seconds)}</dd>
      </div>
      <div>
        <dt>Overspeeding</dt>
        <dd>{timesText(events.overspeeding_count, events.overspeeding_time_seconds)}</dd>
      </div>
      <div>
        <dt>Hard brakes</dt>
        <dd>{timesText(events.hard_brake_count)}</dd>
      </div>
      <div>
        <dt>Rapid accelerations</dt>
        <dd>{timesText(events.rapid_acceleration_count)}</dd>
      </div>
      {trip.insurance_period !== null && (
        <div>
          <dt>Insurance period</dt>
          <dd>{trip.insurance_period}</dd>
        </div>
      )}
      <div>
        <dt>Focus areas</dt>
        <dd>
          <FocusAreas focus={{ ...trip.focus_area }} />
        </dd>
      </div>
    </dl>
  );
}
