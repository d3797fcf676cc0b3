import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DriverPage, TripListPage } from '../../../apps/api/routes/index.ts';
import { contentOf, faultsOf, problemOf } from '../../support/answers.ts';
import { tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld, DEFAULT_NOW, type World } from '../../support/world.ts';

const TRIPS = '/api/v1/driver/driver-1/trips';
const DAILY = '/api/v1/driver-aggregate/daily';
const WEEKLY = '/api/v1/driver-aggregate/weekly';

describeWithPostgres('parameters', () => {
  let world: World;

  beforeAll(async () => {
    world = await createWorld();
    await world.ingest([tripProcessed()]);
    await world.project();
  });
  afterAll(async () => await world?.close());

  describe('limit and page', () => {
    const wrong = [
      '0',
      '101',
      '-1',
      '+1',
      '1.0',
      '1e1',
      '0x1',
      '%201',
      '1%20',
      'ten',
      '',
      '٣',
      'Infinity',
      '9007199254740992',
    ];

    it.each(wrong)('are refused when the limit is %j, with a description of the right value', async (limit) => {
      const answer = await world.get(`/api/v1/drivers?limit=${encodeURI(limit).replaceAll('%25', '%')}`);
      expect(faultsOf(answer, 'limit')).toEqual(['Must be a plain decimal integer from 1 to 100.']);
    });

    it.each(wrong.filter((text) => text !== '101'))(
      'are refused when the page is %j, in all paged endpoints',
      async (page) => {
        const query = `page=${encodeURI(page).replaceAll('%25', '%')}`;
        for (const path of [
          '/api/v1/drivers?',
          `${TRIPS}?start_date=2025-01-15&`,
          '/api/v1/trip/tracking_id/x?',
          `/api/v1/trip/trip_id/${'0'.repeat(32)}?`,
        ]) {
          expect(faultsOf(await world.get(path + query), 'page')).toHaveLength(1);
        }
      },
    );

    it('are refused when they are given twice, even with the same value', async () => {
      expect(faultsOf(await world.get('/api/v1/drivers?limit=5&limit=5'), 'limit')).toEqual([
        'Must be given once, but is given 2 times.',
      ]);
      expect(
        faultsOf(await world.get(`${TRIPS}?start_date=2025-01-15&start_date=2025-01-15`), 'start_date'),
      ).toHaveLength(1);
    });

    it('are refused when they are not valid percent-encoding', async () => {
      for (const bad of ['%', '%zz', '%ff', '%ed%a0%80']) {
        expect(faultsOf(await world.get(`/api/v1/drivers?limit=${bad}`), 'limit')).toEqual([
          'Must be UTF-8 in valid percent-encoding.',
        ]);
        expect(faultsOf(await world.get(`${DAILY}?start_date=2025-01-15&driver_id=${bad}`), 'driver_id')).toHaveLength(
          1,
        );
      }
    });

    it('may be 1 or 100, with leading zeros and percent-encoded digits', async () => {
      for (const [text, limit] of [
        ['1', 1],
        ['100', 100],
        ['007', 7],
        ['%35', 5],
      ]) {
        expect(contentOf(await world.get(`/api/v1/drivers?limit=${text}`), DriverPage).limit).toBe(limit);
      }
    });

    it('are accepted together with unknown parameters, which are ignored', async () => {
      contentOf(await world.get('/api/v1/drivers?start_date=x&__proto__=1&constructor=&=&&%zz'), DriverPage);
    });
  });

  describe('start_date', () => {
    /** Returns the errors that an endpoint reports for `date` at noon on the day `today`. */
    async function faults(path: string, today: string, date: string): Promise<string[]> {
      world.clock.now = Date.parse(`${today}T12:00:00Z`);
      try {
        const answer = await world.get(`${path}?start_date=${date}&driver_id=driver-1`);
        return answer.statusCode === 200 ? [] : faultsOf(answer, 'start_date');
      } finally {
        world.clock.now = DEFAULT_NOW;
      }
    }

    it.each([TRIPS, DAILY, WEEKLY])('is required by %s', async (path) => {
      expect(faultsOf(await world.get(`${path}?driver_id=driver-1`), 'start_date')).toEqual([
        'Required: a date written YYYY-MM-DD, such as 2026-01-31.',
      ]);
    });

    it.each([
      '',
      '2025-1-15',
      '15-01-2025',
      '2025-02-29',
      '2025-13-01',
      '2025-00-10',
      '20250115',
      '2025-01-15T00:00:00Z',
      'today',
      '2025-01-15%00',
    ])('is refused when it is %j, which is not a date YYYY-MM-DD', async (date) => {
      for (const path of [TRIPS, DAILY, WEEKLY]) expect(await faults(path, '2025-01-20', date)).toHaveLength(1);
    });

    it.each([
      ['2025-01-20', '2024-07-20'],
      ['2025-08-31', '2025-02-28'],
      ['2024-08-31', '2024-02-29'],
      ['2025-03-31', '2024-09-30'],
    ])('may go back six months, clamped to the end of the month: from %s to %s', async (today, earliest) => {
      const before = new Date(Date.parse(earliest) - 86_400_000).toISOString().slice(0, 10);
      for (const path of [TRIPS, DAILY]) {
        expect(await faults(path, today, earliest)).toEqual([]);
        expect(await faults(path, today, before)).toEqual([expect.stringContaining(`from ${earliest} to `)]);
      }
    });

    it('may not be in the future, nor today where the interface refuses it', async () => {
      expect(await faults(TRIPS, '2025-01-20', '2025-01-20')).toEqual([]);
      expect(await faults(TRIPS, '2025-01-20', '2025-01-21')).toEqual(['Must be from 2024-07-20 to 2025-01-20 (UTC).']);
      expect(await faults(DAILY, '2025-01-20', '2025-01-19')).toEqual([]);
      expect(await faults(DAILY, '2025-01-20', '2025-01-20')).toEqual(['Must be from 2024-07-20 to 2025-01-19 (UTC).']);
      expect(await faults(WEEKLY, '2025-01-20', '2025-01-13')).toEqual([]);
      expect(await faults(WEEKLY, '2025-01-20', '2025-01-20')).toHaveLength(1);
      expect(await faults(WEEKLY, '2025-01-20', '2025-01-27')).toHaveLength(1);
    });

    it('must be a Monday for the weekly summary, and the message names one', async () => {
      expect(await faults(WEEKLY, '2025-01-20', '2025-01-15')).toEqual(['Must be a Monday, such as 2025-01-13.']);
      expect(await faults(WEEKLY, '2025-01-20', '2025-01-19')).toEqual(['Must be a Monday, such as 2025-01-13.']);
      // 2024-07-20 is a Saturday, so the first week that is served begins on the next Monday.
      expect(await faults(WEEKLY, '2025-01-20', '2024-07-21')).toEqual(['Must be a Monday, such as 2024-07-22.']);
      expect(await faults(WEEKLY, '2025-01-20', '2025-01-22')).toContain('Must be a Monday, such as 2025-01-13.');
    });

    it('depends on the current day in UTC, to the millisecond', async () => {
      world.clock.now = Date.parse('2025-01-20T23:59:59.999Z');
      try {
        expect(faultsOf(await world.get(`${TRIPS}?start_date=2025-01-21`), 'start_date')).toHaveLength(1);
        world.clock.now += 1;
        contentOf(await world.get(`${TRIPS}?start_date=2025-01-21`), TripListPage);
      } finally {
        world.clock.now = DEFAULT_NOW;
      }
    });
  });

  describe.each([DAILY, WEEKLY])('driver_id of %s', (path) => {
    const ask = async (ids: string[]) =>
      await world.get(
        `${path}?start_date=2025-01-13${ids.map((id) => `&driver_id=${encodeURIComponent(id)}`).join('')}`,
      );
    const twenty = Array.from({ length: 20 }, (_, index) => `unknown-${index}`);

    it('is required', async () => {
      expect(faultsOf(await ask([]), 'driver_id')).toEqual([
        expect.stringContaining('Required: once per driver, 1 to 20 drivers'),
      ]);
    });

    it('may name 20 distinct drivers, even with repetitions, but not 21', async () => {
      problemOf(await ask([...twenty, ...twenty, ...twenty]), 404, 'driver_not_found');
      expect(faultsOf(await ask([...twenty, 'one-more']), 'driver_id')).toEqual([
        'Must name at most 20 drivers, but names 21.',
      ]);
    });

    it('is refused with ids that no driver can have', async () => {
      for (const id of ['', 'x'.repeat(257), 'a\u0000b', 'line\nfeed']) {
        expect(faultsOf(await ask(['driver-1', id]), 'driver_id')).toEqual([
          'Must be 1 to 256 characters, without control characters.',
        ]);
      }
    });
  });

  it('are all reported together when they are invalid', async () => {
    const trips = problemOf(await world.get(`${TRIPS}?limit=0&page=x`), 400, 'invalid_parameter');
    expect(trips.errors?.map(({ parameter }) => parameter).sort()).toEqual(['limit', 'page', 'start_date']);
    const weekly = problemOf(await world.get(`${WEEKLY}?start_date=2020-01-01`), 400, 'invalid_parameter');
    expect(weekly.errors?.map(({ parameter }) => parameter).sort()).toEqual(['driver_id', 'start_date', 'start_date']);
  });

  it('are checked before the driver is looked up', async () => {
    problemOf(await world.get('/api/v1/driver/nobody/trips'), 400, 'invalid_parameter');
  });
});
