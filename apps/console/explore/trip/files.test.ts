import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyTrip } from '../../../../test/support/arbitrary-records.ts';
import { EXAMPLE_TRIP } from '../../../../test/support/console/example-trip.ts';
import { toGeoJson, toGpx } from './files.ts';

it('toGpx omits characters that XML forbids', () => {
  const gpx = toGpx({ ...EXAMPLE_TRIP, trip_id: 'a<b>&"\u0001c' });
  expect(gpx).toContain('<trkpt lat="40.2" lon="-74.2"><time>2025-01-15T08:30:00.000Z</time></trkpt>');
  expect(gpx).toContain(
    '<wpt lat="40.15" lon="-74.15"><time>2025-01-15T08:10:00.000Z</time><name>Overspeeding</name>' +
      '<desc>user_speed_mph 66, speed_limit_mph 55, max_user_speed_mph 70.5</desc></wpt>',
  );
  expect(gpx).toContain('<name>Trip a&lt;b&gt;&amp;&quot;c</name>');
});

it('toGpx writes the waypoints, and then one track with all points', () => {
  const gpx = toGpx({
    ...EXAMPLE_TRIP,
    events: EXAMPLE_TRIP.events.map((event) => ({ ...event, event_name: 'HARD_BRAKE', event_data: {} })),
  });
  expect(gpx).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Milepost" xmlns="http://www.topografix.com/GPX/1/1">
  <wpt lat="40.15" lon="-74.15"><time>2025-01-15T08:10:00.000Z</time><name>Hard brake</name><desc></desc></wpt>
  <trk><name>Trip ${EXAMPLE_TRIP.trip_id}</name>
    <trkseg>
      <trkpt lat="40.1" lon="-74.1"><time>2025-01-15T08:00:00.000Z</time></trkpt>
      <trkpt lat="40.2" lon="-74.2"><time>2025-01-15T08:30:00.000Z</time></trkpt>
    </trkseg>
  </trk>
</gpx>
`);
});

it.each([
  [179.5, '179.5'],
  [180, '-180'],
  [190, '-170'],
  [-180, '-180'],
  [-190, '170'],
  [1e-7, '0.00000010000000000000'],
])('toGpx writes the longitude %d as %s', (longitude, text) => {
  const [point] = EXAMPLE_TRIP.trail_path;
  if (!point) throw new Error('The example has no point.');
  expect(toGpx({ ...EXAMPLE_TRIP, trail_path: [{ ...point, longitude }] })).toContain(
    `<trkpt lat="40.1" lon="${text}">`,
  );
});

it('toGpx omits places that are out of range, and times outside the range of dates', () => {
  const [point, next] = EXAMPLE_TRIP.trail_path;
  const [event] = EXAMPLE_TRIP.events;
  if (!point || !next || !event) throw new Error('The example has too few places.');
  const gpx = toGpx({
    ...EXAMPLE_TRIP,
    trail_path: [
      { ...point, latitude: 91 },
      { ...next, timestamp: Number.MAX_SAFE_INTEGER },
    ],
    events: [{ ...event, event_start_longitude: 361 }],
  });
  expect(gpx.match(/<(trkpt|wpt) .*/g)).toEqual(['<trkpt lat="40.2" lon="-74.2"></trkpt>']);
});

it('toGeoJson writes the longitude before the latitude', () => {
  const { type, features } = JSON.parse(toGeoJson(EXAMPLE_TRIP));
  expect(type).toBe('FeatureCollection');
  expect(features[0].geometry).toEqual({
    type: 'LineString',
    coordinates: [
      [-74.1, 40.1],
      [-74.2, 40.2],
    ],
  });
  const { trail_path, events, ...figures } = EXAMPLE_TRIP;
  const timestamps = trail_path.map(({ timestamp }) => timestamp);
  expect(features[0].properties).toEqual({ ...figures, timestamps, courses: [10, 20] });
  expect(features[1].properties).toEqual(events[0]);
  expect(features[1]).toMatchObject({
    geometry: { type: 'Point', coordinates: [-74.15, 40.15] },
    properties: { event_name: 'OVERSPEEDING', event_data: { speed_limit_mph: 55 } },
  });
});

it('toGeoJson writes no line for a single point', () => {
  const trail_path = EXAMPLE_TRIP.trail_path.slice(0, 1);
  expect(JSON.parse(toGeoJson({ ...EXAMPLE_TRIP, trail_path })).features).toHaveLength(1);
});

const COORDINATES =
  /lat="(-?\d+(?:\.\d+)?)" lon="(-?\d+(?:\.\d+)?)">(?:<time>\d{4}-\d\d-\d\dT[\d:.]+Z<\/time>)?<(?:\/trkpt|name)>/;

it('toGpx and toGeoJson write valid files for every trip', () => {
  fc.assert(
    fc.property(anyTrip, (trip) => {
      const places = toGpx(trip).match(/<(?:wpt|trkpt) .*/g) ?? [];
      for (const line of places) {
        const [, latitude, longitude] = COORDINATES.exec(line) ?? [];
        expect(Math.abs(Number(latitude)), line).toBeLessThanOrEqual(90);
        expect(Number(longitude), line).toBeGreaterThanOrEqual(-180);
        expect(Number(longitude), line).toBeLessThan(180);
      }
      const { features } = JSON.parse(toGeoJson(trip));
      expect(features).toHaveLength(trip.events.length + (trip.trail_path.length > 1 ? 1 : 0));
      // `JSON.stringify` writes a negative zero as 0.
      const times = trip.trail_path.map(({ timestamp }) => timestamp + 0);
      if (trip.trail_path.length > 1) expect(features[0].properties.timestamps).toEqual(times);
    }),
  );
});
