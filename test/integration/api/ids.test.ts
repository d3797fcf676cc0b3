import { beforeAll, describe, expect, it } from 'vitest';
import { DailySummaries, TripDetailPage, TripListPage, WeeklySummaries } from '../../../apps/api/routes/index.ts';
import { contentOf, problemOf } from '../../support/answers.ts';
import { perSuite } from '../../support/fixtures.ts';
import { tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld } from '../../support/world.ts';

const IDS: [string, string][] = [
  ['a slash', 'north/south/'],
  ['spaces', ' driver one '],
  ['a plus', 'a+b'],
  ['a percent sign', '100%'],
  ['text that looks like percent-encoding', 'a%2Fb%252F%zz'],
  ['the reserved characters of URLs', '?#&=;:@[]!$\'()*"<>\\^`{|}~'],
  ['quotes of SQL and JSON', `'; DROP TABLE x; --"\\u0000`],
  ['dots and a comma', 'a/../b,c/.'],
  ['other scripts', 'Ωδηγός-运-سائق'],
  ['emoji', '🚗👩‍✈️'],
  ['256 characters', 'x'.repeat(256)],
  ['256 emoji', '🚚'.repeat(256)],
  ['a name of Object.prototype', '__proto__'],
];

describeWithPostgres('ids in URLs', () => {
  const world = perSuite(createWorld);

  beforeAll(async () => {
    await world.take(
      IDS.map(([, id], index) => tripProcessed({ source_trip_id: `trip-${index}`, driver_id: id, tracking_id: id })),
    );
  });

  describe.each(IDS)('with %s', (_what, id) => {
    const encoded = encodeURIComponent(id);

    it('work as driver_id and as tracking_id in the path', async () => {
      const listed = await world.get(`/api/v1/driver/${encoded}/trips?start_date=2025-01-15`);
      expect(contentOf(listed, TripListPage).trips.map((trip) => trip.driver_id)).toEqual([id]);
      const tracked = await world.get(`/api/v1/trip/tracking_id/${encoded}`);
      expect(contentOf(tracked, TripDetailPage).trips.map((trip) => trip.driver_id)).toEqual([id]);
    });

    it('work as driver_id in the query', async () => {
      const daily = await world.get(`/api/v1/driver-aggregate/daily?start_date=2025-01-15&driver_id=${encoded}`);
      expect(contentOf(daily, DailySummaries).data.map((element) => element.driver_info.driver_id)).toEqual([id]);
      const weekly = await world.get(`/api/v1/driver-aggregate/weekly?start_date=2025-01-13&driver_id=${encoded}`);
      expect(contentOf(weekly, WeeklySummaries).data.map((element) => element.driver_info.driver_id)).toEqual([id]);
    });
  });

  it.each(['%00', 'a%00b', '%0A', 'x'.repeat(257), encodeURIComponent('🚚'.repeat(257)), ''])(
    'that no driver can have (%j) are unknown drivers, not errors',
    async (id) => {
      problemOf(await world.get(`/api/v1/driver/${id}/trips?start_date=2025-01-15`), 404, 'driver_not_found');
    },
  );

  it.each(['%', '%zz', '%ff', '%C3', '%ed%a0%80'])(
    'that are not valid percent-encoding (%j) are bad requests',
    async (id) => {
      problemOf(await world.get(`/api/v1/driver/${id}/trips?start_date=2025-01-15`), 400, 'bad_request');
      problemOf(await world.get(`/api/v1/trip/tracking_id/${id}`), 400, 'bad_request');
    },
  );
});
