import { expect, it } from 'vitest';
import { hrefOf, parseRoute, type Route } from './route.ts';

/** Readers share these addresses. */
it.each<[route: Exclude<Route, { view: 'unknown' }>, address: string]>([
  [{ view: 'drivers', find: '' }, '#/drivers'],
  [{ view: 'drivers', find: 'Ada & Søn / #?' }, '#/drivers?find=Ada+%26+S%C3%B8n+%2F+%23%3F'],
  [
    { view: 'driver', driverId: 'a/b c?#&=é😀', from: '2025-01-01', through: '2025-01-31' },
    '#/driver/a%2Fb%20c%3F%23%26%3D%C3%A9%F0%9F%98%80?from=2025-01-01&through=2025-01-31',
  ],
  [{ view: 'driver', driverId: '%2F', from: null, through: null }, '#/driver/%252F'],
  [{ view: 'trip', tripId: 'f'.repeat(32) }, `#/trip/${'f'.repeat(32)}`],
  [{ view: 'tracking', trackingId: 'x y/z', page: 1 }, '#/tracking/x%20y%2Fz'],
  [{ view: 'tracking', trackingId: 'x', page: 3 }, '#/tracking/x?page=3'],
  [
    { view: 'summary', period: 'week', date: '2025-01-13', driverIds: ['a,b', 'c&driver=d'] },
    '#/summary/week/2025-01-13?driver=a%2Cb&driver=c%26driver%3Dd',
  ],
  [{ view: 'summary', period: 'day', date: null, driverIds: [] }, '#/summary/day/'],
  [{ view: 'score', period: 'day', date: '2025-01-15', driverId: 'a/b' }, '#/score/day/2025-01-15/a%2Fb'],
  [{ view: 'compare', tripIds: ['a', 'b'] }, '#/compare?trip=a&trip=b'],
])('hrefOf and parseRoute preserve a view and its address: %j', (route, address) => {
  expect(hrefOf(route)).toBe(address);
  expect(parseRoute(address.slice(1))).toEqual(route);
});

it('parseRoute returns the driver list by default', () => {
  expect([parseRoute(''), parseRoute('/')]).toEqual(Array(2).fill({ view: 'drivers', find: '' }));
});

it.each([
  ...['/nothing', '/driver', '/driver/%zz', '/trip/', '/tracking/', '/summary/month/2025-01-01'],
  ...['/score/week/2025-01-13', '/score/month/2025-01-13/x', '/score/day/2025-02-30/x'],
])('parseRoute finds no view for %s', (hash) => {
  expect(parseRoute(hash)).toEqual({ view: 'unknown' });
});

it('parseRoute ignores invalid dates, and all drivers of a summary after the first 20', () => {
  expect(parseRoute('/driver/x?from=yesterday&through=2025-02-30')).toMatchObject({ from: null, through: null });
  expect(parseRoute('/summary/week/2025-02-30')).toMatchObject({ date: null });
  const many = Array.from({ length: 30 }, (_, index) => `driver=${index}`).join('&');
  expect(parseRoute(`/summary/day/2025-01-01?${many}&driver=0`)).toMatchObject({
    driverIds: Array.from({ length: 20 }, (_, index) => String(index)),
  });
});

it('parseRoute accepts at most two trips to compare, and page numbers from 1', () => {
  expect(parseRoute('/compare?trip=a&trip=b&trip=c')).toEqual({ view: 'compare', tripIds: ['a', 'b'] });
  expect(['1', '2', '0', '-3', 'x', ''].map((page) => parseRoute(`/tracking/x?page=${page}`))).toEqual(
    [1, 2, 1, 1, 1, 1].map((page) => ({ view: 'tracking', trackingId: 'x', page })),
  );
});
