import { expect, it } from 'vitest';
import { addressOf, type KnownRoute, NO_FILTER, parseRoute, splitLane } from './route.ts';

it.each([
  ...['/nothing', '/replays/x', '/replays/-1', '/replays/1000000000000000', '/replays/07', '/audits/0', '/%'],
  ...['/dead-letters/1.5', '/lineage/acme', '/lineage/trip/', '/lineage/acme/driver-1'],
  ...['/lanes/x/replays', '/lanes/-1/', '/lanes/01/replays', '/lanes/1', '/lanes/1234567890/replays'],
])('parseRoute finds no view for %s', (hash) => {
  expect(parseRoute(hash)).toEqual({ view: 'unknown' });
});

/** Operators share and bookmark these addresses, and the service's messages contain them. */
it.each<[route: KnownRoute, lane: number | null, address: string]>([
  [{ view: 'overview' }, null, '#/'],
  [{ view: 'overview' }, 3, '#/lanes/3/'],
  [{ view: 'replays' }, 0, '#/lanes/0/replays'],
  [{ view: 'replay', id: 7 }, 12, '#/lanes/12/replays/7'],
  [{ view: 'audits' }, null, '#/audits'],
  [{ view: 'audit', id: 3 }, null, '#/audits/3'],
  [{ view: 'dead-letters', filter: NO_FILTER }, null, '#/dead-letters'],
  [
    { view: 'dead-letters', filter: { reason: 'invalid', source: 'a&b/0', field: '/x', fleet_id: 'acme', all: true } },
    1,
    '#/lanes/1/dead-letters?reason=invalid&source=a%26b%2F0&field=%2Fx&fleet_id=acme&all=true',
  ],
  [{ view: 'dead-letter', id: 12 }, null, '#/dead-letters/12'],
  [{ view: 'lineage' }, null, '#/lineage'],
  [{ view: 'trip', tripId: 'ab/cd' }, null, '#/lineage/trip/ab%2Fcd'],
  [
    { view: 'driver-day', fleetId: 'acme', driverId: 'a/b ?#%', date: '2025-01-31' },
    null,
    '#/lineage/acme/a%2Fb%20%3F%23%25/2025-01-31',
  ],
  [{ view: 'keys' }, null, '#/keys'],
  [{ view: 'erasure', fleetId: '', driverId: '' }, null, '#/erasure'],
  [{ view: 'erasure', fleetId: 'acme', driverId: '' }, null, '#/erasure?fleet=acme'],
  [{ view: 'audit-trail' }, null, '#/trail'],
])('addressOf and parseRoute preserve a view and its address: %j in lane %j', (route, lane, address) => {
  expect(addressOf(route, lane)).toBe(address);
  expect(parseRoute(address.slice(1))).toEqual(route);
  expect(splitLane(address.slice(1)).lane).toBe(lane);
});

it('parseRoute accepts an address without the first slash, and only "true" selects all dead letters', () => {
  expect(parseRoute('')).toEqual({ view: 'overview' });
  expect(parseRoute('keys')).toEqual({ view: 'keys' });
  expect(parseRoute('/replays/999999999999999')).toEqual({ view: 'replay', id: 999_999_999_999_999 });
  expect(parseRoute('/dead-letters?all=false&reason=invalid')).toEqual({
    view: 'dead-letters',
    filter: { ...NO_FILTER, reason: 'invalid' },
  });
});

it('splitLane returns the rest of a fragment unchanged', () => {
  expect(splitLane('/lanes/2/replays/7?a=b')).toEqual({ lane: 2, rest: '/replays/7?a=b' });
  expect(splitLane('/lanes/0/')).toEqual({ lane: 0, rest: '/' });
  expect(splitLane('/replays/7')).toEqual({ lane: null, rest: '/replays/7' });
  expect(splitLane('/lanes/1234567890/')).toEqual({ lane: null, rest: '/lanes/1234567890/' });
});
