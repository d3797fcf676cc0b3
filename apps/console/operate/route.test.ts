import { expect, it } from 'vitest';
import { addressOf, type KnownRoute, NO_FILTER, parseRoute, splitLane } from './route.ts';

const ROUTES: KnownRoute[] = [
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
  for (const lane of [null, 0, 12]) {
    const hash = addressOf(route, lane).slice(1);
    expect(parseRoute(hash)).toEqual(route);
    expect(splitLane(hash).lane).toBe(lane);
  }
});

it.each([
  '/nothing',
  '/replays/x',
  '/replays/-1',
  '/audits/0',
  '/dead-letters/1.5',
  '/lineage/acme',
  '/%',
  '/lanes/x/replays',
  '/lanes/-1/',
])('parseRoute finds no view for %s', (hash) => {
  expect(parseRoute(hash)).toEqual({ view: 'unknown' });
});
