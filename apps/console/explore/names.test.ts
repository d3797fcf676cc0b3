import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyText } from '../../../test/support/console/arbitrary-values.ts';
import { driverName, eventTitle, matchesDriver } from './names.ts';

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

it("driverName returns a driver's name, alias or id", () => {
  const nameless = { ...ada, first_name: null, last_name: null };
  const drivers = [ada, { ...ada, first_name: null }, { ...ada, last_name: null }, nameless, nobody];
  expect(drivers.map(driverName)).toEqual(['Ada Lovelace', 'Lovelace', 'Ada', 'Countess', 'D-7']);
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

it.each([
  ['first name', { first_name: 'Needle' }],
  ['last name', { last_name: 'Needle' }],
  ['alias', { alias: 'Needle' }],
  ['email', { email: 'needle@example.com' }],
  ['id', { driver_id: 'a-NEEDLE-7' }],
])('matchesDriver searches the %s', (_field, fields) => {
  expect(matchesDriver({ ...nobody, ...fields }, ' needle')).toBe(true);
  expect(matchesDriver(nobody, 'needle')).toBe(false);
});

it('eventTitle returns the name of a trip event in words', () => {
  const names = ['PHONE_USE', 'HARD_BRAKE', 'RAPID_ACCELERATION', 'OVERSPEEDING'];
  expect(names.map(eventTitle)).toEqual(['Phone use', 'Hard brake', 'Rapid acceleration', 'Overspeeding']);
});
