import { beforeAll, expect, it } from 'vitest';
import {
  DailySummaries,
  DriverPage,
  TripDetailPage,
  TripListPage,
  WeeklySummaries,
} from '../../../apps/api/routes/index.ts';
import { contentOf, faultsOf, problemOf } from '../../support/answers.ts';
import { tripProcessed } from '../../support/records.ts';
import { DEFAULT_NOW, describeWithWorld } from '../../support/world.ts';

const DRIVERS = '/api/v1/drivers';
const TRIPS = '/api/v1/driver/driver-1/trips';
const DAILY = '/api/v1/driver-aggregate/daily';
const WEEKLY = '/api/v1/driver-aggregate/weekly';
const PAGED = [
  `${DRIVERS}?`,
  `${TRIPS}?start_date=2025-01-15&`,
  '/api/v1/trip/tracking_id/x?',
  '/api/v1/trip/trip_id/x?',
];

const NO_DATE = 'Must be a date written YYYY-MM-DD, such as 2026-01-31.';
const NO_LIMIT = 'Must be a plain decimal integer from 1 to 100.';
const NO_ID = 'Must be 1 to 256 characters, without control characters.';
const TWICE = 'Must be given once, but was given 2 times.';
const NO_ENCODING = 'Must be UTF-8 in valid percent-encoding.';
const NO_DRIVERS = 'Required: once per driver, 1 to 20 drivers, as in driver_id=first&driver_id=second.';
const TOO_MANY_DRIVERS = 'Must name at most 20 drivers, but names 21.';
const NO_IDS = ['', 'x'.repeat(257), 'a\u0000b', 'line\nfeed'];
const NO_INTEGERS = ['0', '-1', '%2B1', '1.0', '1e1', '0x1', '%201', 'ten', '', '%D9%A3', '9007199254740992'];
const NO_DATES = ['', '2025-1-15', '2025-02-29', '2025-00-10', '20250115', '2025-01-15T00:00:00Z', '2025-01-15%00'];

const drivers = (...ids: string[]) => ids.map((id) => `&driver_id=${encodeURIComponent(id)}`).join('');
const twenty = Array.from({ length: 20 }, (_, index) => `unknown-${index}`);

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

describeWithWorld('parameters', (world) => {
  beforeAll(async () => {
    const ofIds = IDS.map(([, id], index) =>
      tripProcessed({ source_trip_id: `of-id-${index}`, driver_id: id, tracking_id: id }),
    );
    await world.take([tripProcessed(), ...ofIds]);
  });

  /** Sends a request at the time `now`, and returns the faults found in one parameter. */
  async function faults(path: string, parameter: string, now = DEFAULT_NOW): Promise<string[]> {
    world.setTime(now);
    const answer = await world.get(path);
    return answer.statusCode === 200 ? [] : faultsOf(answer, parameter);
  }

  it.each([
    ...[...NO_INTEGERS, '101'].map((limit) => [`${DRIVERS}?limit=${limit}`, 'limit', NO_LIMIT]),
    [`${DRIVERS}?limit=5&limit=5`, 'limit', TWICE],
    [`${DRIVERS}?limit=%zz`, 'limit', NO_ENCODING],
    [`${DRIVERS}?limit=%ed%a0%80`, 'limit', NO_ENCODING],
    [`${TRIPS}?start_date=2025-01-15&start_date=2025-01-15`, 'start_date', TWICE],
    ...NO_DATES.flatMap((date) =>
      [TRIPS, DAILY, WEEKLY].map((path) => [`${path}?start_date=${date}${drivers('driver-1')}`, 'start_date', NO_DATE]),
    ),
    ...[TRIPS, DAILY, WEEKLY].map((path) => [path, 'start_date', NO_DATE.replace('Must be', 'Required:')]),
    ...[DAILY, WEEKLY].flatMap((path) => [
      [`${path}?start_date=2025-01-13`, 'driver_id', NO_DRIVERS],
      [`${path}?start_date=2025-01-13${drivers(...twenty, 'one-more')}`, 'driver_id', TOO_MANY_DRIVERS],
      ...NO_IDS.map((id) => [`${path}?start_date=2025-01-13${drivers('driver-1', id)}`, 'driver_id', NO_ID]),
    ]),
  ])('are refused with a description of the correct value: %s', async (path = '', parameter = '', message = '') => {
    expect(await faults(path, parameter)).toEqual([message]);
  });

  it.each(NO_INTEGERS)('are refused in each paged endpoint when the page is %j', async (page) => {
    for (const path of PAGED) expect(await faults(`${path}page=${page}`, 'page')).toHaveLength(1);
  });

  it.each([
    ['1', 1],
    ['100', 100],
    ['007', 7],
    ['%35', 5],
    ['9&start_date=x&__proto__=1&constructor=&=&&%zz', 9],
  ])('may contain leading zeros and percent-encoded digits, and are ignored if unknown: %s', async (text, limit) => {
    expect(contentOf(await world.get(`${DRIVERS}?limit=${text}`), DriverPage).limit).toBe(limit);
  });

  it.each([DAILY, WEEKLY])('may name 20 distinct drivers, even with repetitions: %s', async (path) => {
    const ids = drivers(...twenty, ...twenty, ...twenty);
    problemOf(await world.get(`${path}?start_date=2025-01-13${ids}`), 404, 'driver_not_found');
  });

  it.each([
    ['2025-01-20', '2024-07-20'],
    ['2025-08-31', '2025-02-28'],
    ['2024-08-31', '2024-02-29'],
    ['2025-03-31', '2024-09-30'],
  ])('may go back six months, to the end of the month at most: from %s to %s', async (today, earliest) => {
    const before = new Date(Date.parse(earliest) - 86_400_000).toISOString().slice(0, 10);
    const at = Date.parse(`${today}T12:00:00Z`);
    for (const path of [TRIPS, DAILY]) {
      const ask = async (date: string) =>
        await faults(`${path}?start_date=${date}${drivers('driver-1')}`, 'start_date', at);
      expect(await ask(earliest)).toEqual([]);
      expect(await ask(before)).toEqual([expect.stringContaining(`from ${earliest} to `)]);
    }
  });

  it.each([
    [TRIPS, '2025-01-20', '23:59:59.999', []],
    [TRIPS, '2025-01-21', '23:59:59.999', ['Must be from 2024-07-20 to 2025-01-20 (UTC).']],
    [DAILY, '2025-01-19', '12:00:00.000', []],
    [DAILY, '2025-01-20', '23:59:59.999', ['Must be from 2024-07-20 to 2025-01-19 (UTC).']],
    [WEEKLY, '2025-01-13', '12:00:00.000', []],
    [WEEKLY, '2025-01-20', '12:00:00.000', ['Must be from 2024-07-20 to 2025-01-19 (UTC).']],
    [WEEKLY, '2025-01-15', '12:00:00.000', ['Must be a Monday, such as 2025-01-13.']],
    // 2024-07-20 is a Saturday, so the first week that is served begins on the following Monday.
    [WEEKLY, '2024-07-21', '12:00:00.000', ['Must be a Monday, such as 2024-07-22.']],
  ])('allow %s for %s on 2025-01-20 at %s UTC: %j', async (path, date, time, messages) => {
    const at = Date.parse(`2025-01-20T${time}Z`);
    expect(await faults(`${path}?start_date=${date}${drivers('driver-1')}`, 'start_date', at)).toEqual(messages);
  });

  it('are all reported together when they are invalid, before the driver is looked up', async () => {
    const trips = problemOf(await world.get('/api/v1/driver/nobody/trips?limit=0&page=x'), 400, 'invalid_parameter');
    expect(trips.errors?.map(({ parameter }) => parameter).sort()).toEqual(['limit', 'page', 'start_date']);
    const weekly = problemOf(await world.get(`${WEEKLY}?start_date=2020-01-01`), 400, 'invalid_parameter');
    expect(weekly.errors?.map(({ parameter }) => parameter).sort()).toEqual(['driver_id', 'start_date', 'start_date']);
  });

  it.each(IDS)('may be an id with %s, in the path and in the query', async (_what, id) => {
    const encoded = encodeURIComponent(id);
    const listed = await world.get(`/api/v1/driver/${encoded}/trips?start_date=2025-01-15`);
    expect(contentOf(listed, TripListPage).trips.map((trip) => trip.driver_id)).toEqual([id]);
    const tracked = await world.get(`/api/v1/trip/tracking_id/${encoded}`);
    expect(contentOf(tracked, TripDetailPage).trips.map((trip) => trip.driver_id)).toEqual([id]);
    const daily = await world.get(`${DAILY}?start_date=2025-01-15&driver_id=${encoded}`);
    expect(contentOf(daily, DailySummaries).data.map((element) => element.driver_info.driver_id)).toEqual([id]);
    const weekly = await world.get(`${WEEKLY}?start_date=2025-01-13&driver_id=${encoded}`);
    expect(contentOf(weekly, WeeklySummaries).data.map((element) => element.driver_info.driver_id)).toEqual([id]);
  });

  it.each(['%00', 'a%00b', '%0A', 'x'.repeat(257), encodeURIComponent('🚚'.repeat(257)), ''])(
    'that no driver can have (%j) are unknown drivers in the path, not errors',
    async (id) => {
      problemOf(await world.get(`/api/v1/driver/${id}/trips?start_date=2025-01-15`), 404, 'driver_not_found');
    },
  );

  it.each(['%', '%zz', '%ff', '%C3', '%ed%a0%80'])(
    'that are not valid percent-encoding (%j) are bad requests in the path',
    async (id) => {
      problemOf(await world.get(`/api/v1/driver/${id}/trips?start_date=2025-01-15`), 400, 'bad_request');
      problemOf(await world.get(`/api/v1/trip/tracking_id/${id}`), 400, 'bad_request');
    },
  );
});
