import { eventTitle } from '../names.ts';
import type { TripDetail } from '../reports.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text for XML: escaped, and without the control characters that XML 1.0 has no way to write. */
function xml(text: string): string {
  return text
    .replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character)
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '');
}

const time = (epochMilliseconds: number): string => new Date(epochMilliseconds).toISOString();

/** What a trip event says beside its name, as a sentence; empty where it says nothing. */
function described(data: Readonly<Record<string, number | undefined>>): string {
  return Object.entries(data)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

/** A trip as GPX 1.1: the path as a track, and each trip event as a waypoint where it begins. */
export function toGpx({ trip_id, trail_path, events }: TripDetail): string {
  const waypoints = events.map(
    (event) =>
      `  <wpt lat="${event.event_start_latitude}" lon="${event.event_start_longitude}">` +
      `<time>${time(event.event_start_timestamp)}</time><name>${xml(eventTitle(event.event_name))}</name>` +
      `<desc>${xml(described(event.event_data))}</desc></wpt>`,
  );
  const points = trail_path.map(
    ({ latitude, longitude, timestamp }) =>
      `      <trkpt lat="${latitude}" lon="${longitude}"><time>${time(timestamp)}</time></trkpt>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gpx version="1.1" creator="Milepost" xmlns="http://www.topografix.com/GPX/1/1">',
    ...waypoints,
    `  <trk><name>Trip ${xml(trip_id)}</name>`,
    '    <trkseg>',
    ...points,
    '    </trkseg>',
    '  </trk>',
    '</gpx>\n',
  ].join('\n');
}

/**
 * A trip as GeoJSON (RFC 7946): the path as a line with the time and the course of each of its places, and each trip event
 * as a point where it begins. A line needs two places; a shorter trail is left out.
 */
export function toGeoJson(trip: TripDetail): string {
  const { trail_path, events, ...figures } = trip;
  const line = {
    type: 'Feature',
    geometry: {
      type: 'LineString',
      coordinates: trail_path.map(({ latitude, longitude }) => [longitude, latitude]),
    },
    properties: {
      ...figures,
      timestamps: trail_path.map(({ timestamp }) => timestamp),
      courses: trail_path.map(({ course }) => course),
    },
  };
  const points = events.map((event) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [event.event_start_longitude, event.event_start_latitude] },
    properties: event,
  }));
  const features = trail_path.length > 1 ? [line, ...points] : points;
  return `${JSON.stringify({ type: 'FeatureCollection', features })}\n`;
}
