import { expect, it } from 'vitest';
import { EXAMPLE_TRIP } from './example-trip.ts';
import { toGeoJson, toGpx } from './files.ts';

it('writes a trip as GPX, with what is no XML left out', () => {
  const gpx = toGpx({ ...EXAMPLE_TRIP, trip_id: 'a<b>&"\u0001c' });
  expect(gpx).toContain('<trkpt lat="40.2" lon="-74.2"><time>2025-01-15T08:30:00.000Z</time></trkpt>');
  expect(gpx).toContain(
    '<wpt lat="40.15" lon="-74.15"><time>2025-01-15T08:10:00.000Z</time><name>Overspeeding</name>' +
      '<desc>user_speed_mph 66, speed_limit_mph 55, max_user_speed_mph 70.5</desc></wpt>',
  );
  expect(gpx).toContain('<name>Trip a&lt;b&gt;&amp;&quot;c</name>');
});

it('writes a trip as GeoJSON, longitude first', () => {
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

it('writes no line of a single place', () => {
  const trail_path = EXAMPLE_TRIP.trail_path.slice(0, 1);
  expect(JSON.parse(toGeoJson({ ...EXAMPLE_TRIP, trail_path })).features).toHaveLength(1);
});
