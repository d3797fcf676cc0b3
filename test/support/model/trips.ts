import { createHash } from 'node:crypto';
import type { TripProcessed } from '@milepost/domain/vocabulary';
import { focusOf } from './score.ts';

const FOUR_HOURS = 4 * 3_600_000;

const ids = new Map<string, string>();

/** The id under which the API serves a trip. It is cached because the model needs it very often. */
export function servedTripId(trip: { fleet_id: string; source_trip_id: string }): string {
  const name = `${trip.fleet_id}/${trip.source_trip_id}`;
  const id = ids.get(name) ?? createHash('sha256').update(name).digest('hex').slice(0, 32);
  ids.set(name, id);
  return id;
}

export function isVisible(trip: TripProcessed, now: number): boolean {
  return trip.trip_end_time + FOUR_HOURS <= now;
}

/** Sorts trips by start time, then by id. */
export function inOrder(trips: readonly TripProcessed[]): TripProcessed[] {
  return trips.toSorted(
    (left, right) =>
      left.trip_start_time - right.trip_start_time || (servedTripId(left) < servedTripId(right) ? -1 : 1),
  );
}

export function listEntry(trip: TripProcessed) {
  const { kind, fleet_id, source_trip_id, revision, tracking_id, events, trail_path, ...listed } = trip;
  return { trip_id: servedTripId(trip), ...listed };
}

export function detail(trip: TripProcessed) {
  const focus = focusOf({ ...trip, ...trip.event_summary });
  return {
    ...listEntry(trip),
    focus_area: {
      is_phone_use: focus.phone,
      is_rapid_acceleration: focus.accel,
      is_hard_brake: focus.brake,
      is_overspeeding: focus.speed,
    },
    trail_path: trip.trail_path,
    events: trip.events,
  };
}
