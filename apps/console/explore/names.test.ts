import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyText } from '../shared/arbitrary-values.ts';
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

it('driverName returns the name, the alias or the id of a driver', () => {
  expect([driverName(ada), driverName({ ...ada, first_name: null })]).toEqual(['Ada Lovelace', 'Lovelace']);
  expect([driverName({ ...nobody, alias: 'Van 3' }), driverName(nobody)]).toEqual(['Van 3', 'D-7']);
});

it('matchesDriver finds a driver by all typed words, in any order and case', () => {
  expect(['love ADA', 'd-7', 'countess', '', ' '].map((typed) => matchesDriver(ada, typed))).toEqual(
    Array(5).fill(true),
  );
  expect(['ada byron', 'null'].map((typed) => matchesDriver(ada, typed))).toEqual([false, false]);
});

it('driverName names every driver, and matchesDriver finds the driver by this name', () => {
  const optional = fc.option(anyText);
  const profile = fc.record({
    driver_id: anyText,
    first_name: optional,
    last_name: optional,
    email: optional,
    alias: optional,
  });
  fc.assert(
    fc.property(profile, (fields) => {
      const driver = { ...nobody, ...fields };
      expect(driverName(driver)).not.toBe('');
      expect(matchesDriver(driver, driverName(driver))).toBe(true);
    }),
  );
});
