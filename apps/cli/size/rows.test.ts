import { expect, it } from 'vitest';
import { estimate } from './capacity.ts';
import { sizeRows } from './rows.ts';

it.each([
  [0.0123, '12.3 MB'],
  [0.999, '999 MB'],
  [1, '1 GB'],
  [999, '999 GB'],
  [1_000, '1 TB'],
  [12_340, '12.3 TB'],
])('sizeRows shows %d GB with the unit that fits it: %s', (gigabytes, text) => {
  const capacity = estimate({ tripsPerDay: 1, pointsPerTrip: 0, daysKept: 1, peakFactor: 1 });
  expect(new Map(sizeRows({ ...capacity, database_gigabytes: gigabytes })).get('disk of PostgreSQL')).toBe(text);
});
