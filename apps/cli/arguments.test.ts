import { describe, expect, it } from 'vitest';
import { calendarDate, examples, fleetId, tripId, wholeNumber } from './arguments.ts';

describe('a whole number on the command line', () => {
  it.each(['', ' ', ' 5', '5 ', '+5', '-5', '5.0', '1e1', '0x5', '0b1', '1_0', '٥', 'five', 'Infinity', 'NaN'])(
    'is refused when it is %j',
    (text) => {
      expect(() => wholeNumber(0)(text)).toThrow('It must be a whole number, 0 or more.');
    },
  );

  it('lies within its limits, which are allowed themselves', () => {
    const parse = wholeNumber(2, 10);
    expect(['2', '05', '10'].map(parse)).toEqual([2, 5, 10]);
    for (const text of ['1', '11']) expect(() => parse(text)).toThrow('It must be a whole number, 2 to 10.');
  });

  it('is at most the largest that a number holds exactly', () => {
    expect(wholeNumber(0)('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => wholeNumber(0)('9007199254740992')).toThrow('It must be a whole number');
  });
});

describe('a trip id on the command line', () => {
  const ID = '0f4a6b1c9d2e8f70a1b2c3d4e5f60718';

  it.each([ID, '0f4a6b1c-9d2e-8f70-a1b2-c3d4e5f60718', ID.toUpperCase()])('can be written as %s', (text) => {
    expect(tripId(text)).toBe(ID);
  });

  it.each(['', ID.slice(1), `${ID}0`, '0f4a-6b1c9d2e8f70a1b2c3d4e5f60718', 'g'.repeat(32)])(
    'is refused when it is %j',
    (text) => {
      expect(() => tripId(text)).toThrow('with or without the dashes');
    },
  );
});

describe('a fleet id on the command line', () => {
  it.each(['a', 'Acme_EU-7', '-', 'x'.repeat(64)])('can be %s', (text) => expect(fleetId(text)).toBe(text));

  it.each(['', 'x'.repeat(65), 'a b', 'a.b', 'caf\u00e9', 'acme\n'])('is refused when it is %j', (text) => {
    expect(() => fleetId(text)).toThrow('1 to 64 characters');
  });
});

describe('a day on the command line', () => {
  it.each(['2024-02-29', '2025-12-31'])('can be %s', (text) => expect(calendarDate(text)).toBe(text));

  it.each(['', '2025-02-29', '2025-13-01', '2025-1-1', '2025-01-31T00:00'])('is refused when it is %j', (text) => {
    expect(() => calendarDate(text)).toThrow('It must be a day such as 2025-01-31.');
  });
});

it('the examples of a command are one line each, under a heading that agrees with their number', () => {
  expect(examples()).toBe('');
  expect(examples('milepost up')).toBe('\nExample:\n  $ milepost up');
  expect(examples('milepost up', 'milepost ops')).toBe('\nExamples:\n  $ milepost up\n  $ milepost ops');
});
