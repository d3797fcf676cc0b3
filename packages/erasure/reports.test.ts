import { expect, it } from 'vitest';
import { withoutPersonal } from './reports.ts';

const withoutAda = (report: object) => withoutPersonal(report, (text) => text.includes('ada'));

it('takes the samples that tell of somebody out of each table, and leaves the others and all counts', () => {
  const sample = (key: string) => ({ day: null, key: `acme/${key}`, live: 'x', replayed: null });
  const table = { projection: 'drivers', differences: 2, samples: [sample('ada'), sample('bob')] };
  expect(withoutAda({ position: 7, tables: [table] })).toEqual({
    position: 7,
    tables: [{ projection: 'drivers', differences: 2, samples: [sample('bob')] }],
  });
});

it('takes a fault out as a whole, for what it says of the row is in another field than whose it is', () => {
  const fault = { check: 'differing_row', detail: 'latitude 51.1', positions: [{ position: 3, driver_id: 'ada' }] };
  expect(withoutAda({ equal: false, faults: [fault, { ...fault, positions: [] }] })).toEqual({
    equal: false,
    faults: [{ ...fault, positions: [] }],
  });
});

it('takes a text that stands alone, wherever it stands', () => {
  expect(withoutAda({ changes: { largest: { driver: 'ada', points: 3 }, drivers: ['ada', 'bob'] } })).toEqual({
    changes: { largest: { driver: null, points: 3 }, drivers: ['bob'] },
  });
});
