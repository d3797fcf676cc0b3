import type { TrailPoint, TripEvent } from '@milepost/client';

/** A place on the map: latitude and longitude in degrees, in Leaflet's order. */
export type Place = [latitude: number, longitude: number];

/**
 * Whether coordinates are in range. The points and trip events in a record may have any finite coordinates, and some
 * devices count longitudes from 0 to 360.
 */
export function isPlace(latitude: number, longitude: number): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 360;
}

/** If the excess is at least this many miles per hour, the section is drawn as severe overspeeding. */
export const MIN_SEVERE_MPH = 10;

const OVERSPEEDING = 'OVERSPEEDING';

/**
 * The points of a trail whose coordinates are in range, sorted by time. The service returns points in the recorded
 * order.
 */
export function sortedPlaces(trail: readonly TrailPoint[]): TrailPoint[] {
  return trail
    .filter(({ latitude, longitude }) => isPlace(latitude, longitude))
    .sort((one, other) => one.timestamp - other.timestamp);
}

/** The index of the first point at or after a time, or the length of the trail if there is none. */
function indexAt(trail: readonly TrailPoint[], time: number): number {
  let low = 0;
  let high = trail.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((trail[middle]?.timestamp ?? Infinity) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The vehicle's place at a time, interpolated between the points before and after. Null for an empty trail. */
export function placeAt(trail: readonly TrailPoint[], time: number): Place | null {
  const index = indexAt(trail, time);
  const after = trail[Math.min(index, trail.length - 1)];
  const before = trail[Math.max(index - 1, 0)];
  if (!after || !before) return null;
  const span = after.timestamp - before.timestamp;
  const share = span > 0 ? Math.min(Math.max((time - before.timestamp) / span, 0), 1) : 0;
  return [
    before.latitude + share * (after.latitude - before.latitude),
    before.longitude + share * (after.longitude - before.longitude),
  ];
}

/** The difference between a trip event's highest speed and the speed limit, in miles per hour. */
function overLimit({ event_data: { max_user_speed_mph = 0, speed_limit_mph = 0 } }: TripEvent): number {
  return Math.max(0, max_user_speed_mph - speed_limit_mph);
}

/**
 * The parts of a path during overspeeding events, with the largest excess over the speed limit.
 *
 * @param trail sorted by time
 */
export function speedingSections(trail: readonly TrailPoint[], events: readonly TripEvent[]) {
  return events
    .filter(({ event_name }) => event_name === OVERSPEEDING)
    .map((event) => {
      const { event_start_timestamp: start, event_end_timestamp: end } = event;
      const between = trail.slice(indexAt(trail, start), indexAt(trail, end + 1));
      const ends = [placeAt(trail, start), placeAt(trail, end)].map((place) => (place === null ? [] : [place]));
      const inside = between.map(({ latitude, longitude }): Place => [latitude, longitude]);
      return { places: [...(ends[0] ?? []), ...inside, ...(ends[1] ?? [])], over_mph: overLimit(event) };
    })
    .filter(({ places }) => places.length > 1);
}

/** A part of a path on which the driver exceeded the speed limit. */
export type SpeedingSection = ReturnType<typeof speedingSections>[number];
