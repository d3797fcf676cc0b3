import { tripId } from '@milepost/domain/trip-id';
import { createLogger } from '@milepost/service';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { DailySummaries, TripDetailPage, WeeklySummaries } from '../../../apps/api/routes/index.ts';
import { contentOf, problemOf } from '../../support/answers.ts';
import { compareAnswers } from '../../support/compare-with-model.ts';
import { Model } from '../../support/model/index.ts';
import { driverProfile, numberedTrips, tripDeleted, tripProcessed } from '../../support/records.ts';
import { DEFAULT_NOW, describeWithWorld } from '../../support/world.ts';

const HOUR = 3_600_000;
/** 2025-01-13 is a Monday. By default, today is Monday, 2025-01-20. */
const at = (day: number, hour = 8) => Date.UTC(2025, 0, day, hour);
/**
 * With this stride, each of the eight bits in a byte is flipped in turn. The codecs' own tests flip every single bit.
 */
const BIT_STRIDE = 7;
const LAST_PAGE = Number.MAX_SAFE_INTEGER;

/** `recount.test.ts` compares the reports of random records with the model. These records are at the limits. */
const RECORDS = [
  // So many trips have the same start time that a wrong order cannot match the right order by chance.
  ...numberedTrips(12).map((trip, index) => ({ ...trip, tracking_id: 'tied', driver_id: `driver-${1 + (index & 1)}` })),
  ...[at(13, 0), at(14, 0) - 1, at(15), at(17, 0) - 1, at(17, 0), at(19), at(20), at(21)].map((start, index) =>
    tripProcessed({
      source_trip_id: `ada-${index}`,
      driver_id: 'ada',
      trip_start_time: start,
      // Binary floating point cannot represent these sums exactly.
      distance_miles: index % 2 === 0 ? 0.1 : 0.7,
    }),
  ),
  // This trip starts before the others of its driver, and becomes visible after them.
  tripProcessed({ source_trip_id: 'edge', tracking_id: 'edge', trip_end_time: DEFAULT_NOW, driver_id: 'long' }),
  ...[1, 2, 3].map((hour) =>
    tripProcessed({ source_trip_id: `ended-${hour}`, trip_start_time: at(15, 8 + hour), driver_id: 'long' }),
  ),
  tripProcessed({ source_trip_id: 'bare', events: [], trail_path: [], tracking_id: 'bare', insurance_period: 2 }),
  driverProfile({ driver_id: 'ada' }),
  driverProfile({ driver_id: 'idle' }),
  tripProcessed({ source_trip_id: 'gone', driver_id: 'gone', tracking_id: 'gone' }),
  tripDeleted({ source_trip_id: 'gone' }),
];

describeWithWorld('reports', (world) => {
  const model = new Model();

  beforeAll(async () => {
    await world.take(RECORDS);
    for (const record of RECORDS) model.deliver(JSON.stringify(record));
  });

  const get = async (path: string) => await world.get(`/api/v1${path}`);
  const pageOf = async (path: string) => {
    const { trips = [], drivers = [], ...page } = (await get(path)).json();
    return { ...page, rows: trips.length + drivers.length };
  };

  it.each([
    ['a millisecond before a trip becomes visible, one trip per page', DEFAULT_NOW + 4 * HOUR - 1, 1],
    ['4 hours after the end of the trip', DEFAULT_NOW + 4 * HOUR, 5],
    ['a second after the first day', at(14, 0) + 1_000, 2],
    ['in the first week', at(15, 12), 2],
    ['in the next week', at(21, 12), 100],
  ])('equal the model %s', async (_when, now, limit) => {
    world.setTime(now);
    const asked = { fleetId: 'acme', firstDate: '2025-01-13', now, limit };
    expect(await compareAnswers(get, model, asked)).toBeGreaterThan(50);
  });

  it.each([
    ['/drivers?', 50, 6],
    ['/driver/ada/trips?start_date=2025-01-15&', 50, 4],
    ['/trip/tracking_id/bare?', 5, 1],
    [`/trip/trip_id/${tripId('acme', 'bare')}?`, 5, 1],
  ])('have a default page size, and empty pages past the end: %s', async (path, limit, count) => {
    const common = { count, next_page: null, limit };
    expect(await pageOf(path)).toEqual({ ...common, current_page: 1, rows: count });
    for (const current_page of [2, 90_071_992_547_409, LAST_PAGE]) {
      expect(await pageOf(`${path}page=${current_page}`)).toEqual({ ...common, current_page, rows: 0 });
    }
  });

  it('append new trips and drivers at the end, so earlier pages do not shift', async () => {
    const key = await world.createKey('growing');
    const pages = async (page: number) => {
      const lists = ['/driver/zoe/trips?start_date=2025-01-15&', '/drivers?'].map(async (path) => {
        const { trips, drivers } = (await world.get(`/api/v1${path}limit=2&page=${page}`, { key })).json();
        return (trips ?? drivers).map((row: object) => Object.values(row)[0]);
      });
      return await Promise.all(lists);
    };
    const append = async (driver_id: string, hour: number) => {
      const trip = { fleet_id: 'growing', driver_id, source_trip_id: `${driver_id}-${hour}` };
      await world.take([tripProcessed({ ...trip, trip_start_time: at(15, hour) })]);
    };
    for (const hour of [8, 9]) await append('zoe', hour);
    await append('mia', 8);
    const before = await pages(1);
    await append('zoe', 10);
    await append('aaa', 8);
    await world.take([tripDeleted({ fleet_id: 'growing', source_trip_id: 'mia-8' })]);
    expect(await pages(1)).toEqual(before);
    expect(await pages(2)).toEqual([[tripId('growing', 'zoe-10')], ['aaa']]);
  });

  it('keep the order even without an index, which would return the trips in order anyway', async () => {
    const { rows } = await world.pool.query<{ name: string }>('SELECT current_database() AS name');
    for (const scan of ['indexscan', 'indexonlyscan', 'bitmapscan']) {
      await world.pool.query(`ALTER DATABASE ${rows[0]?.name} SET enable_${scan} = off`);
    }
    const path = '/api/v1/driver/driver-1/trips?start_date=2025-01-15&limit=3&page=2';
    const unindexed = await world.get(path, { api: await world.buildApi() });
    expect(unindexed.json()).toEqual((await world.get(path)).json());
  });

  it.each([
    ['trip_id', 'f'.repeat(32)],
    ['trip_id', tripId('acme', 'trip-1').toUpperCase()],
    // Another notation that PostgreSQL casts to the same UUID.
    ['trip_id', `{${tripId('acme', 'trip-1')}}`],
    ...['abc', tripId('acme', 'gone'), '%00'].map((id) => ['trip_id', id]),
    ...['unknown', 'gone', '%00', 'x'.repeat(257)].map((id) => ['tracking_id', id]),
  ])('respond with 404 to the unknown %s %j', async (name, id) => {
    for (const page of [1, 2]) problemOf(await get(`/trip/${name}/${id}?page=${page}`), 404, 'trip_not_found');
  });

  describe('of a trip whose stored body is damaged', () => {
    /** Builds an API whose log of errors the test can read. */
    const buildSpied = async () => {
      const logger = createLogger('api', 'silent');
      return { error: vi.spyOn(logger, 'error'), api: await world.buildApi({ logger }) };
    };

    /** Stores a trip of another fleet, because the model does not know it. */
    async function store(name: string): Promise<{ id: string; position: string; key: string }> {
      await world.take([tripProcessed({ fleet_id: 'damaged', source_trip_id: name, tracking_id: name })]);
      const id = tripId('damaged', name);
      const key = await world.createKey('damaged');
      const found = 'SELECT position FROM stored_event WHERE trip_id = $1::uuid';
      return { id, key, position: (await world.pool.query(found, [id])).rows[0].position };
    }

    it.each(['trail_path', 'trip_events'])(
      'are errors 500 for flipped bits anywhere in %s, and log the position',
      async (column) => {
        const { id, key, position } = await store(column);
        const { error, api } = await buildSpied();
        const flip = `UPDATE trip_body SET ${column} = set_bit(${column}, $2, 1 - get_bit(${column}, $2)) WHERE position = $1`;
        const length = `SELECT octet_length(${column}) * 8 AS bits FROM trip_body WHERE position = $1`;
        const [stored] = (await world.pool.query(length, [position])).rows;
        const fault = `The trip at position ${position} in the event log is damaged: The checksum does not match the bytes.`;
        const logged = expect.objectContaining({ position: Number(position), message: fault });
        for (let bit = 0; bit < stored.bits; bit += BIT_STRIDE) {
          await world.pool.query(flip, [position, bit]);
          const answer = await world.get(`/api/v1/trip/tracking_id/${column}`, { api, key });
          await world.pool.query(flip, [position, bit]);
          const problem = problemOf(answer, 500, 'internal');
          expect(problem.detail).toBe('The request failed because of a fault in the service.');
          expect(answer.body).not.toMatch(/position|checksum|trail|damage|log\./i);
          expect(error).toHaveBeenLastCalledWith(expect.objectContaining({ error: logged }), problem.detail);
        }
        expect(error).toHaveBeenCalledTimes(Math.ceil(stored.bits / BIT_STRIDE));
        expect(stored.bits).toBeGreaterThan(300);
        contentOf(await world.get(`/api/v1/trip/trip_id/${id}`, { api, key }), TripDetailPage);
      },
    );

    it('are errors 500 when the body is missing', async () => {
      const { id, key, position } = await store('bodiless');
      const { error, api } = await buildSpied();
      await world.pool.query('DELETE FROM trip_body WHERE position = $1', [position]);
      problemOf(await world.get(`/api/v1/trip/trip_id/${id}`, { api, key }), 500, 'internal');
      expect(error.mock.lastCall).toMatchObject([{ error: { position: Number(position) } }, expect.any(String)]);
    });
  });

  it.each(['daily', 'weekly'])(
    'list the drivers of %s summaries in the order of the request, each once, and name all unknown ones',
    async (kind) => {
      const ask = async (query: string) => await get(`/driver-aggregate/${kind}?start_date=2025-01-13&${query}`);
      const answer = await ask('driver_id=ada&driver_id=idle&driver_id=ada');
      const { data } = contentOf(answer, kind === 'daily' ? DailySummaries : WeeklySummaries);
      expect(data.map(({ driver_info }) => driver_info.driver_id)).toEqual(['ada', 'idle']);
      const problem = problemOf(await ask('driver_id=x&driver_id=ada&driver_id=y'), 404, 'driver_not_found');
      expect(problem.detail).toMatch(/"x".*"y"/);
      const messages = ['The fleet has no driver "x".', 'The fleet has no driver "y".'];
      expect(problem.errors?.map(({ message }) => message)).toEqual(messages);
      // A comma does not separate ids.
      expect(problemOf(await ask('driver_id=ada,idle'), 404, 'driver_not_found').detail).toContain('"ada,idle"');
    },
  );
});
