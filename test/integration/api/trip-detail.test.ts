import { tripId } from '@milepost/domain/trip-id';
import { createLogger } from '@milepost/service';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { TripDetailPage } from '../../../apps/api/routes/index.ts';
import { contentOf, problemOf } from '../../support/answers.ts';
import { perSuite } from '../../support/fixtures.ts';
import { DEFAULT_TRIP_START, tripDeleted, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld, DEFAULT_NOW } from '../../support/world.ts';

const HOUR = 3_600_000;
/**
 * With this stride, each of the eight bits in a byte is flipped in turn. The codecs' own tests flip every single bit.
 */
const BIT_STRIDE = 7;

/** Trips that start at the same time. */
const TIED = Array.from({ length: 9 }, (_, index) => `tied-${index}`);

const event = { event_start_latitude: -0, event_start_longitude: 0, event_end_latitude: 0, event_end_longitude: -0 };
const NEGATIVE_ZEROS = tripProcessed({
  source_trip_id: 'zeros',
  ...{ start_latitude: -0, start_longitude: 0, end_latitude: 0, end_longitude: -0 },
  events: tripProcessed().events.map((one) => ({ ...one, ...event })),
  trail_path: tripProcessed().trail_path.map((point, index) => ({ ...point, latitude: index % 2 === 0 ? -0 : 0 })),
});

describeWithPostgres('GET /api/v1/trip/...', () => {
  const world = perSuite(createWorld);

  beforeAll(async () => {
    await world.take([
      tripProcessed(),
      tripProcessed({ source_trip_id: 'bare', events: [], trail_path: [], tracking_id: 'bare', insurance_period: 2 }),
      ...Array.from({ length: 7 }, (_, index) =>
        tripProcessed({
          source_trip_id: `shared-${index}`,
          tracking_id: 'shared',
          driver_id: `driver-${index % 2}`,
          trip_start_time: DEFAULT_TRIP_START + ((index * 3) % 7) * HOUR,
        }),
      ),
      tripProcessed({ source_trip_id: 'edge', tracking_id: 'edge', trip_end_time: DEFAULT_NOW }),
      NEGATIVE_ZEROS,
      ...TIED.map((source_trip_id, index) =>
        tripProcessed({ source_trip_id, tracking_id: 'tied', driver_id: `driver-${index % 3}` }),
      ),
      tripProcessed({ source_trip_id: 'gone', tracking_id: 'gone' }),
      tripDeleted({ source_trip_id: 'gone' }),
    ]);
  });

  const byTripId = async (id: string, query = '') => await world.get(`/api/v1/trip/trip_id/${id}${query}`);
  const byTrackingId = async (id: string, query = '') => await world.get(`/api/v1/trip/tracking_id/${id}${query}`);

  describe('trip_id/<trip_id>', () => {
    it('serves one trip with the stored trail path, trip events and focus areas', async () => {
      const page = contentOf(await byTripId(tripId('acme', 'trip-1')), TripDetailPage);
      expect(page).toMatchObject({ count: 1, current_page: 1, next_page: null, limit: 5 });
      const { kind, fleet_id, source_trip_id, revision, tracking_id, ...served } = tripProcessed();
      expect(page.trips).toEqual([
        {
          ...served,
          trip_id: tripId('acme', 'trip-1'),
          focus_area: { is_phone_use: false, is_rapid_acceleration: false, is_hard_brake: true, is_overspeeding: true },
        },
      ]);
    });

    it('serves every coordinate -0 as -0', async () => {
      const [trip] = contentOf(await byTripId(tripId('acme', 'zeros')), TripDetailPage).trips;
      const { start_latitude, start_longitude, end_latitude, end_longitude, events, trail_path } = NEGATIVE_ZEROS;
      expect(trip).toMatchObject({ start_latitude, start_longitude, end_latitude, end_longitude });
      expect([trip?.start_latitude, trip?.end_longitude]).toStrictEqual([-0, -0]);
      expect(trip?.events).toStrictEqual(events);
      expect(trip?.trail_path).toStrictEqual(trail_path);
    });

    it.each([
      ['an unknown id', 'f'.repeat(32)],
      ['uppercase digits', tripId('acme', 'trip-1').toUpperCase()],
      ['another notation that PostgreSQL casts to the same UUID', `{${tripId('acme', 'trip-1')}}`],
      ['too few digits', 'abc'],
      ['a deleted trip', tripId('acme', 'gone')],
      ['U+0000', '%00'],
    ])('returns 404 for %s', async (_what, id) => {
      problemOf(await byTripId(id), 404, 'trip_not_found');
    });

    it('shows a trip from exactly 4 hours after its end', async () => {
      world.setTime(DEFAULT_NOW + 4 * HOUR - 1);
      problemOf(await byTripId(tripId('acme', 'edge')), 404, 'trip_not_found');
      problemOf(await byTrackingId('edge'), 404, 'trip_not_found');
      world.setTime(DEFAULT_NOW + 4 * HOUR);
      contentOf(await byTripId(tripId('acme', 'edge')), TripDetailPage);
      contentOf(await byTrackingId('edge'), TripDetailPage);
    });
  });

  describe('of a trip whose stored body is damaged', () => {
    /** Builds an API whose log of errors the test can read. */
    const buildSpied = async () => {
      const logger = createLogger('api', 'silent');
      return { error: vi.spyOn(logger, 'error'), api: await world.buildApi({ logger }) };
    };

    async function store(name: string): Promise<{ id: string; position: string }> {
      await world.take([tripProcessed({ source_trip_id: name, tracking_id: name })]);
      const id = tripId('acme', name);
      const found = 'SELECT position FROM stored_event WHERE trip_id = $1::uuid';
      return { id, position: (await world.pool.query(found, [id])).rows[0].position };
    }

    it.each(['trail_path', 'trip_events'])(
      'returns 500 for flipped bits anywhere in %s, and logs the position',
      async (column) => {
        const { id, position } = await store(column);
        const { error, api } = await buildSpied();
        const flip = `UPDATE trip_body SET ${column} = set_bit(${column}, $2, 1 - get_bit(${column}, $2)) WHERE position = $1`;
        const length = `SELECT octet_length(${column}) * 8 AS bits FROM trip_body WHERE position = $1`;
        const [stored] = (await world.pool.query(length, [position])).rows;
        for (let bit = 0; bit < stored.bits; bit += BIT_STRIDE) {
          await world.pool.query(flip, [position, bit]);
          const answer = await world.get(`/api/v1/trip/tracking_id/${column}`, { api });
          await world.pool.query(flip, [position, bit]);
          const problem = problemOf(answer, 500, 'internal');
          expect(problem.detail).toBe('The request failed because of a fault in the service.');
          expect(answer.body).not.toMatch(/position|checksum|trail|damage|log\./i);
          expect(error).toHaveBeenLastCalledWith(
            expect.objectContaining({
              error: expect.objectContaining({
                position: Number(position),
                message: `The trip at position ${position} in the event log is damaged: The checksum does not match the bytes.`,
              }),
            }),
            'The request failed because of a fault in the service.',
          );
        }
        expect(error).toHaveBeenCalledTimes(Math.ceil(stored.bits / BIT_STRIDE));
        expect(stored.bits).toBeGreaterThan(300);
        contentOf(await world.get(`/api/v1/trip/trip_id/${id}`, { api }), TripDetailPage);
      },
    );

    it('returns 500 when the body is missing', async () => {
      const { id, position } = await store('bodiless');
      const { error, api } = await buildSpied();
      await world.pool.query('DELETE FROM trip_body WHERE position = $1', [position]);
      problemOf(await world.get(`/api/v1/trip/trip_id/${id}`, { api }), 500, 'internal');
      expect(error.mock.lastCall).toMatchObject([{ error: { position: Number(position) } }, expect.any(String)]);
    });
  });

  describe('tracking_id/<tracking_id>', () => {
    it('serves the trips of all drivers with the tracking id, ordered by start time, 5 per page', async () => {
      const first = contentOf(await byTrackingId('shared'), TripDetailPage);
      const second = contentOf(await byTrackingId('shared', '?page=2'), TripDetailPage);
      expect(first).toMatchObject({ count: 7, current_page: 1, next_page: 2, limit: 5 });
      expect(second).toMatchObject({ count: 7, current_page: 2, next_page: null, limit: 5 });
      const starts = [...first.trips, ...second.trips].map((trip) => trip.trip_start_time);
      expect(starts).toEqual(Array.from({ length: 7 }, (_, index) => DEFAULT_TRIP_START + index * HOUR));
      expect(new Set(first.trips.map((trip) => trip.driver_id)).size).toBe(2);
      const past = contentOf(await byTrackingId('shared', '?page=3'), TripDetailPage);
      expect(past).toMatchObject({ count: 7, next_page: null, trips: [] });
    });

    it('orders trips that start at the same time by their ids, over all pages', async () => {
      const expected = TIED.map((source_trip_id) => tripId('acme', source_trip_id)).sort();
      const served: string[] = [];
      for (const page of [1, 2]) {
        const { trips } = contentOf(await byTrackingId('tied', `?page=${page}`), TripDetailPage);
        served.push(...trips.map(({ trip_id }) => trip_id));
      }
      expect(served).toEqual(expected);
    });

    it.each([2, 3])('returns an empty page %d after the only trip on page 1', async (page) => {
      const found = contentOf(await byTrackingId('bare', `?page=${page}`), TripDetailPage);
      expect(found).toMatchObject({ count: 1, current_page: page, next_page: null, trips: [] });
      const [bare] = contentOf(await byTrackingId('bare'), TripDetailPage).trips;
      expect(bare).toMatchObject({ trail_path: [], events: [], insurance_period: 2 });
      const byId = contentOf(await byTripId(bare?.trip_id ?? '', `?page=${page}`), TripDetailPage);
      expect(byId).toMatchObject({ count: 1, current_page: page, trips: [] });
    });

    it.each(['unknown', 'gone', '%00', 'x'.repeat(257)])('returns 404 for the tracking id %j', async (id) => {
      problemOf(await byTrackingId(id), 404, 'trip_not_found');
      problemOf(await byTrackingId(id, '?page=2'), 404, 'trip_not_found');
    });
  });
});
