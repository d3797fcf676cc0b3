import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyTrip } from './arbitrary-trip.ts';
import { EXAMPLE_TRIP } from './example-trip.ts';
import { toGeoJson, toGpx } from './files.ts';

it('toGpx writes a trip without the characters that XML forbids', () => {
  const gpx = toGpx({ ...EXAMPLE_TRIP, trip_id: 'a<b>&"\u0001c' });
  expect(gpx).toContain('<trkpt lat="40.2" lon="-74.2"><time>2025-01-15T08:30:00.000Z</time></trkpt>');
  expect(gpx).toContain(
    '<wpt lat="40.15" lon="-74.15"><time>2025-01-15T08:10:00.000Z</time><name>Overspeeding</name>' +
      '<desc>user_speed_mph 66, speed_limit_mph 55, max_user_speed_mph 70.5</desc></wpt>',
  );
  expect(gpx).toContain('<name>Trip a&lt;b&gt;&amp;&quot;c</name>');
});

it('toGeoJson writes a trip with the longitude before the latitude', () => {
  const { type, features } = JSON.parse(toGeoJson(EXAMPLE_TRIP));
  expect(type).toBe('FeatureCollection');
  expect(features[0].geometry).toEqual({
    type: 'LineString',
    coordinates: [
      [-74.1, 40.1],
      [-74.2, 40.2],
    ],
  });
  expect(features[0].properties).toMatchObject({ trip_id: EXAMPLE_TRIP.trip_id, courses: [10, 20] });
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
      const times = trip.trail_path.map(({ timestamp }) => timestamp);
      if (trip.trail_path.length > 1) expect(features[0].properties.timestamps).toEqual(times);
    }),
  );
});
