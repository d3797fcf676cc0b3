import type { TrailPoint, TripEvent } from '../reports.ts';

/** A place on the map: latitude and longitude in degrees, as map libraries take them. */
export type Place = [latitude: number, longitude: number];

/** Miles per hour over the limit from which overspeeding is drawn as much. */
export const MUCH_OVER_MPH = 10;

/** A part of a path that was driven too fast. */
export interface SpeedingSection {
  places: Place[];
  /** The most that the driver was over the limit, in miles per hour. */
  over_mph: number;
}

const OVERSPEEDING = 'OVERSPEEDING';

/** A trail in the order of time: it is served as it was recorded, which may be another. */
export function inTime(trail: readonly TrailPoint[]): TrailPoint[] {
  return [...trail].sort((one, other) => one.timestamp - other.timestamp);
}

/** The index of the first point at or after a time; the length of the trail when there is none. */
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

/** Where the vehicle was at a time, between the points around it; null for an empty trail. */
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

/** How far over the limit a trip event says the driver was, in miles per hour. */
function overLimit({ event_data: { max_user_speed_mph = 0, speed_limit_mph = 0 } }: TripEvent): number {
  return Math.max(0, max_user_speed_mph - speed_limit_mph);
}

/**
 * The parts of a path that overspeeding events name, each from where the event begins to where it ends.
 *
 * @param trail in the order of time
 */
export function speedingSections(trail: readonly TrailPoint[], events: readonly TripEvent[]): SpeedingSection[] {
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
