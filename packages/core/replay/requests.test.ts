import { expect, it } from 'vitest';
import { ReplayRefusedError } from './errors.ts';
import { projectionsNamed } from './requests.ts';

const PROJECTIONS = ['drivers', 'trips', 'fleets'].map((name) => ({ name }));
const named = (asked: string) => projectionsNamed(PROJECTIONS, asked).map(({ name }) => name);

it('projectionsNamed returns the named projections once, in the order of the list', () => {
  expect(named('trips')).toEqual(['trips']);
  expect(named('fleets, drivers,fleets')).toEqual(['drivers', 'fleets']);
  expect(named('all')).toEqual(['drivers', 'trips', 'fleets']);
  expect(named('trips,all')).toEqual(['drivers', 'trips', 'fleets']);
});

it.each([
  ['trip', 'trip'],
  ['', ''],
  ['trips,', ''],
  ['all,week', 'week'],
])('projectionsNamed refuses %j, even alongside valid names', (asked, name) => {
  const known = ['drivers', 'trips', 'fleets'];
  expect(() => named(asked)).toThrow(new ReplayRefusedError({ code: 'unknown_projection', name, known }));
});
