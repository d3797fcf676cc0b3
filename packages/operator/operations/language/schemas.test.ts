import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { checkOf } from './check.ts';
import { FleetId, Id, isText, pageInputs, pageOf, Reason } from './schemas.ts';

describe('pageOf', () => {
  const pageOfList = async (length: number, limit: number) => {
    const found = Array.from({ length }, (_, index) => ({ id: 100 - index }));
    const { entries, next_before } = await pageOf(limit, async (most) => found.slice(0, most));
    return [entries.map(({ id }) => id), next_before];
  };

  it('names the last entry of the page only if there are older ones', async () => {
    expect(await pageOfList(0, 2)).toEqual([[], null]);
    expect(await pageOfList(1, 2)).toEqual([[100], null]);
    expect(await pageOfList(2, 2)).toEqual([[100, 99], null]);
    expect(await pageOfList(3, 2)).toEqual([[100, 99], 99]);
    expect(await pageOfList(9, 1)).toEqual([[100], 100]);
  });
});

describe('the rule of an input', () => {
  const accepted = (schema: Parameters<typeof Type.Object>[0][string], values: readonly unknown[]) => {
    const check = checkOf(Type.Object({ value: schema }));
    return values.filter((value) => check({ value }).length === 0);
  };

  it('accepts a reason of 1 to 1,000 characters that are not all blank', () => {
    const blanks = ' '.repeat(999);
    const good = ['x', ' x ', 'line\nline', `${blanks}x`, `x${blanks}`, 'x'.repeat(1_000), '🚚'.repeat(1_000)];
    const wrong = ['', ' ', '\n', blanks, 'x'.repeat(1_001), 'a\0b', 'a\ud800', 1, null];
    expect(accepted(Reason('1 to 1,000 characters.'), [...good, ...wrong])).toEqual(good);
  });

  it('accepts a fleet id of 1 to 64 characters', () => {
    const good = ['a', 'A-1_b', 'x'.repeat(64)];
    expect(accepted(FleetId('a fleet'), [...good, '', 'x'.repeat(65), 'a b', 'ä', 'a\n'])).toEqual(good);
  });

  it('accepts an id from 1 to the largest exact integer', () => {
    const good = [1, Number.MAX_SAFE_INTEGER];
    expect(accepted(Id('an id'), [...good, 0, -1, 1.5, '1', Number.MAX_SAFE_INTEGER + 1])).toEqual(good);
  });

  it('accepts a page of 1 to the maximum number of entries', () => {
    expect(accepted(pageInputs(200, 20).limit, [0, 1, 200, 201])).toEqual([1, 200]);
    expect(accepted(pageInputs(200, 20).before, [0, 1, 1_000])).toEqual([1, 1_000]);
  });

  it('accepts a time only with a real day, a clock time and a zone', () => {
    const good = ['2025-01-31T08:00:00Z', '2025-01-31T08:00:00.123456Z', '2024-02-29T23:59:59+05:30'];
    const wrong = [
      '2025-02-30T08:00:00Z',
      '2025-01-31T08:00:00',
      '2025-01-31',
      '2025-01-31T25:00:00Z',
      '2025-01-31 08:00Z',
    ];
    expect(accepted(Type.String({ format: 'date-time' }), [...good, ...wrong])).toEqual(good);
  });
});

it('a text with U+0000 is no text for PostgreSQL, wherever the character is', () => {
  expect([isText(''), isText('a', 'b'), isText('a\0'), isText('a', '\0')]).toEqual([true, true, false, false]);
});
