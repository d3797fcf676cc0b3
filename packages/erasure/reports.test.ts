import { expect, it } from 'vitest';
import { withoutPersonal } from './reports.ts';

const withoutAda = (report: object) => withoutPersonal(report, (text) => text.includes('ada'));

it('withoutPersonal removes the samples of the person from each table, and keeps the other samples and all counts', () => {
  const sample = (key: string) => ({ day: null, key: `acme/${key}`, live: 'x', replayed: null });
  const table = { projection: 'drivers', differences: 2, samples: [sample('ada'), sample('bob')] };
  expect(withoutAda({ position: 7, tables: [table] })).toEqual({
    position: 7,
    tables: [{ projection: 'drivers', differences: 2, samples: [sample('bob')] }],
  });
});

it('withoutPersonal removes the whole fault, because its details and the id are in different fields', () => {
  const fault = { check: 'differing_row', detail: 'latitude 51.1', positions: [{ position: 3, driver_id: 'ada' }] };
  expect(withoutAda({ equal: false, faults: [fault, { ...fault, positions: [] }] })).toEqual({
    equal: false,
    faults: [{ ...fault, positions: [] }],
  });
});

it('withoutPersonal removes a string with personal data at any depth', () => {
  expect(withoutAda({ changes: { largest: { driver: 'ada', points: 3 }, drivers: ['ada', 'bob'] } })).toEqual({
    changes: { largest: { driver: null, points: 3 }, drivers: ['bob'] },
  });
});

it('withoutPersonal keeps the fields that never name a person, although an id matches them by chance', () => {
  const isSeven = (text: string) => text.includes('7');
  const fault = { check: 'check_7', projection: 'trips_7', day: '2025-01-07', detail: 'other', positions: [] };
  const report = {
    compared_at: '2025-01-07T00:00:00.000Z',
    cutoff: '2025-01-07',
    started_at: '2025-01-07T00:00:00.000Z',
    at: '7',
    faults: [fault, { ...fault, detail: 'driver 7' }],
  };
  expect(withoutPersonal(report, isSeven)).toEqual({ ...report, faults: [fault] });
});

it('withoutPersonal keeps a table whose own fields name the person, without the name', () => {
  const tables = [{ projection: 'trips', note: 'about ada', rows: 3, is_equal: false, samples: null }];
  expect(withoutAda({ tables })).toEqual({ tables: [{ ...tables[0], note: null }] });
});
