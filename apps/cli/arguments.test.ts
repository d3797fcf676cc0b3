import { expect, it } from 'vitest';
import { calendarDate, fleetId, tripId, wholeNumber } from './arguments.ts';

it('a whole number on the command line must lie within its limits, inclusive', () => {
  const parse = wholeNumber(2, 10);
  expect(['2', '05', '10'].map(parse)).toEqual([2, 5, 10]);
  for (const text of ['1', '11']) expect(() => parse(text)).toThrow('It must be a whole number, 2 to 10.');
  expect(wholeNumber(0)('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
});

const ID = '0f4a6b1c9d2e8f70a1b2c3d4e5f60718';

it.each([ID, '0f4a6b1c-9d2e-8f70-a1b2-c3d4e5f60718', ID.toUpperCase()])('a trip id can be %s', (text) => {
  expect(tripId(text)).toBe(ID);
});

const NUMBERS = ['', ' 5', '5 ', '+5', '-5', '5.0', '1e1', '0x5', '1_0', '٥', 'Infinity', '9007199254740992'];

it.each([
  ['a whole number', wholeNumber(0), NUMBERS, 'It must be a whole number, 0 or more.'],
  [
    'a trip id',
    tripId,
    ['', ID.slice(1), `${ID}0`, `0f4a-${ID.slice(4)}`, 'g'.repeat(32)],
    'with or without the dashes',
  ],
  ['a fleet id', fleetId, ['', 'x'.repeat(65), 'a b', 'a.b', 'caf\u00e9', 'acme\n'], '1 to 64 characters'],
  ['a day', calendarDate, ['', '2025-02-29', '2025-1-1', '2025-01-31T00:00'], 'It must be a day such as 2025-01-31.'],
])('text that is not %s is refused on the command line', (_what, parse, texts, message) => {
  for (const text of texts) expect(() => parse(text), text).toThrow(message);
});
