import { expect, it } from 'vitest';
import { hrefOf, parseRoute, type Route } from './route.ts';

const ROUTES: Exclude<Route, { view: 'unknown' }>[] = [
  { view: 'drivers', find: '' },
  { view: 'drivers', find: 'Ada & Søn / #?' },
  { view: 'driver', driverId: 'a/b c?#&=é😀', from: '2025-01-01', through: '2025-01-31' },
  { view: 'driver', driverId: '%2F', from: null, through: null },
  { view: 'trip', tripId: 'f'.repeat(32) },
  { view: 'tracking', trackingId: 'x y/z', page: 1 },
  { view: 'tracking', trackingId: 'x', page: 3 },
  { view: 'summary', period: 'week', date: '2025-01-13', driverIds: ['a,b', 'c&driver=d'] },
  { view: 'summary', period: 'day', date: null, driverIds: [] },
  { view: 'score', period: 'day', date: '2025-01-15', driverId: 'a/b' },
  { view: 'compare', tripIds: ['a', 'b'] },
];

it.each(ROUTES)('parseRoute parses the address of a view (%o)', (route) => {
  expect(parseRoute(hrefOf(route).slice(1))).toEqual(route);
});

it('parseRoute returns the driver list by default', () => {
  expect([parseRoute(''), parseRoute('/')]).toEqual(Array(2).fill({ view: 'drivers', find: '' }));
});

it.each(['/nothing', '/driver', '/driver/%zz', '/score/day/2025-02-30/x', '/summary/month/2025-01-01', '/trip/'])(
  'parseRoute finds no view for %s',
  (hash) => {
    expect(parseRoute(hash)).toEqual({ view: 'unknown' });
  },
);

it('parseRoute ignores invalid dates and pages, and drivers beyond the limit of a summary', () => {
  expect(parseRoute('/driver/x?from=yesterday&through=2025-02-30')).toMatchObject({ from: null, through: null });
  expect(parseRoute('/tracking/x?page=-3')).toMatchObject({ page: 1 });
  const many = Array.from({ length: 30 }, (_, index) => `driver=${index}`).join('&');
  expect(parseRoute(`/summary/day/2025-01-01?${many}&driver=0`)).toMatchObject({
    driverIds: Array.from({ length: 20 }, (_, index) => String(index)),
  });
});

it('hrefOf writes the addresses that readers have shared', () => {
  expect(ROUTES.map(hrefOf)).toEqual([
    '#/drivers',
    '#/drivers?find=Ada+%26+S%C3%B8n+%2F+%23%3F',
    '#/driver/a%2Fb%20c%3F%23%26%3D%C3%A9%F0%9F%98%80?from=2025-01-01&through=2025-01-31',
    '#/driver/%252F',
    `#/trip/${'f'.repeat(32)}`,
    '#/tracking/x%20y%2Fz',
    '#/tracking/x?page=3',
    '#/summary/week/2025-01-13?driver=a%2Cb&driver=c%26driver%3Dd',
    '#/summary/day/',
    '#/score/day/2025-01-15/a%2Fb',
    '#/compare?trip=a&trip=b',
  ]);
});

it('parseRoute compares at most two trips, and reads pages from 1', () => {
  expect(parseRoute('/compare?trip=a&trip=b&trip=c')).toEqual({ view: 'compare', tripIds: ['a', 'b'] });
  expect(parseRoute('/compare')).toEqual({ view: 'compare', tripIds: [] });
  expect(['1', '2', '0', 'x', ''].map((page) => parseRoute(`/tracking/x?page=${page}`))).toEqual(
    [1, 2, 1, 1, 1].map((page) => ({ view: 'tracking', trackingId: 'x', page })),
  );
});

it('parseRoute shows the default date of a summary for an invalid one, and needs the date and driver of a score', () => {
  expect(parseRoute('/summary/week/2025-02-30?driver=x')).toEqual({
    view: 'summary',
    period: 'week',
    date: null,
    driverIds: ['x'],
  });
  expect(parseRoute('/score/week/2025-01-13/x')).toEqual({
    view: 'score',
    period: 'week',
    date: '2025-01-13',
    driverId: 'x',
  });
  for (const hash of ['/score/week/2025-01-13', '/score/month/2025-01-13/x', '/tracking/', '/score/day//x']) {
    expect(parseRoute(hash)).toEqual({ view: 'unknown' });
  }
});
