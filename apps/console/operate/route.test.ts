import { expect, it } from 'vitest';
import { hrefOf, NO_FILTER, parseRoute, type Route } from './route.ts';

const ROUTES: Exclude<Route, { view: 'unknown' }>[] = [
  { view: 'overview' },
  { view: 'replays' },
  { view: 'replay', id: 7 },
  { view: 'dead-letters', filter: NO_FILTER },
  { view: 'dead-letters', filter: { ...NO_FILTER, source: 'file:a b&c', field: '/events/0', all: true } },
  { view: 'dead-letter', id: 12 },
  { view: 'audits' },
  { view: 'audit', id: 3 },
  { view: 'lineage' },
  { view: 'trip', tripId: 'ab/cd' },
  { view: 'driver-day', fleetId: 'acme', driverId: 'a/b ?#%', date: '2025-01-31' },
  { view: 'keys' },
  { view: 'erasure', fleetId: 'acme', driverId: 'a/b ?#%' },
  { view: 'erasure', fleetId: '', driverId: '' },
  { view: 'audit-trail' },
];

it.each(ROUTES)('parseRoute parses the address of a view: %j', (route) => {
  expect(parseRoute(hrefOf(route).slice(1))).toEqual(route);
});

it.each(['/nothing', '/replays/x', '/replays/-1', '/audits/0', '/dead-letters/1.5', '/lineage/acme', '/%'])(
  'parseRoute finds no view for %s',
  (hash) => {
    expect(parseRoute(hash)).toEqual({ view: 'unknown' });
  },
);
