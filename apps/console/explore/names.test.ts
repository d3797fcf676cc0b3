import { expect, it } from 'vitest';
import { driverName, matchesDriver } from './names.ts';

const nobody = {
  driver_id: 'D-7',
  first_name: null,
  last_name: null,
  email: null,
  alias: null,
  first_travel_date: null,
  last_travel_date: null,
};
const ada = { ...nobody, first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', alias: 'Countess' };

it('calls a driver by what there is', () => {
  expect([driverName(ada), driverName({ ...ada, first_name: null })]).toEqual(['Ada Lovelace', 'Lovelace']);
  expect([driverName({ ...nobody, alias: 'Van 3' }), driverName(nobody)]).toEqual(['Van 3', 'D-7']);
});

it('finds a driver by all words that were typed, in any order and case', () => {
  expect(['love ADA', 'd-7', 'countess', '', ' '].map((typed) => matchesDriver(ada, typed))).toEqual(
    Array(5).fill(true),
  );
  expect(['ada byron', 'null'].map((typed) => matchesDriver(ada, typed))).toEqual([false, false]);
});
