import type { TripDetail } from '@milepost/client';
import { isoText } from '../../shared/calendar-text.ts';
import { eventTitle } from '../names.ts';
import { isPlace } from './path.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for XML and removes the control characters that XML 1.0 forbids. */
function xml(text: string): string {
  return text
    .replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character)
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '');
}

/** The element `time`, an `xsd:dateTime`. GPX does not require it, so it is omitted outside the years 0001 to 9999. */
function timeElement(epochMilliseconds: number): string {
  const text = isoText(epochMilliseconds);
  return text === null ? '' : `<time>${text}</time>`;
}

/** A number as `xsd:decimal`, which has no exponent. */
function xsdDecimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(20) : text;
}

/** The attributes `lat` and `lon`. GPX accepts longitudes from -180 to less than 180. */
function coordinates(latitude: number, longitude: number): string {
  const within = longitude >= 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude;
  return `lat="${xsdDecimal(latitude)}" lon="${xsdDecimal(within)}"`;
}

/** A trip event's data as text; empty if there is none. */
function described(data: Readonly<Record<string, number | undefined>>): string {
  return Object.entries(data)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

/**
 * A trip as GPX 1.1: the path as a track, and each trip event as a waypoint at its start. Points and trip events with
 * out-of-range coordinates are omitted, because GPX cannot express them.
 */
export function toGpx({ trip_id, trail_path, events }: TripDetail): string {
  const waypoints = events
    .filter((event) => isPlace(event.event_start_latitude, event.event_start_longitude))
    .map(
      (event) =>
        `  <wpt ${coordinates(event.event_start_latitude, event.event_start_longitude)}>` +
        `${timeElement(event.event_start_timestamp)}<name>${xml(eventTitle(event.event_name))}</name>` +
        `<desc>${xml(described(event.event_data))}</desc></wpt>`,
    );
  const points = trail_path
    .filter(({ latitude, longitude }) => isPlace(latitude, longitude))
    .map(
      ({ latitude, longitude, timestamp }) =>
        `      <trkpt ${coordinates(latitude, longitude)}>${timeElement(timestamp)}</trkpt>`,
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
 * A trip as GeoJSON (RFC 7946): the path as a line with each point's time and course, and each trip event as a point at
 * its start. All numbers are equal to those in the record. A line needs two points, so a shorter path is omitted.
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
