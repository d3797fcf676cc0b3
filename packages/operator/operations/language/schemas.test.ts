import Type from 'typebox';
import { expect, it } from 'vitest';
import { checkOf } from './check.ts';
import { FleetId, Id, isText, pagesOf, Reason } from './schemas.ts';

it.each([
  [1, 2, [100], null],
  [2, 2, [100, 99], null],
  [3, 2, [100, 99], 99],
])('a list names the last entry of a page only if there are older ones: %i entries, %i per page', async (...given) => {
  const [length, limit, ids, next] = given;
  const found = Array.from({ length }, (_, index) => ({ id: 100 - index }));
  const page = { limit, before: 101 };
  const read = async (most: number, before = 0) => found.filter(({ id }) => id < before).slice(0, most);
  const { entries, next_before } = await pagesOf(200, 20).read(page, read);
  expect([entries.map(({ id }) => id), next_before]).toEqual([ids, next]);
});

const { limit, before } = pagesOf(200, 20).inputs;
const blanks = ' '.repeat(999);

it.each<[string, Parameters<typeof Type.Object>[0][string], unknown[], unknown[]]>([
  [
    'a reason of 1 to 1,000 characters that are not all blank',
    Reason('1 to 1,000 characters.'),
    ['x', 'line\nline', `${blanks}x`, `x${blanks}`, 'x'.repeat(1_000), '🚚'.repeat(1_000)],
    ['', '\n', blanks, 'x'.repeat(1_001), 'a\0b', 'a\ud800', 1, null],
  ],
  ['a fleet id', FleetId('a fleet'), ['a', 'A-1_b', 'x'.repeat(64)], ['', 'x'.repeat(65), 'a b', 'ä', 'a\n']],
  ['an id', Id('an id'), [1, Number.MAX_SAFE_INTEGER], [0, -1, 1.5, '1', Number.MAX_SAFE_INTEGER + 1]],
  ['a number of entries', limit, [1, 200], [0, 201]],
  ['the start of a page', before, [1, 1_000], [0]],
  [
    'a time with a real day, a clock time and a zone',
    Type.String({ format: 'date-time' }),
    ['2025-01-31T08:00:00Z', '2024-02-29T23:59:59.123456+05:30'],
    ['2025-02-30T08:00:00Z', '2025-01-31T08:00:00', '2025-01-31', '2025-01-31T25:00:00Z', '2025-01-31 08:00Z'],
  ],
])('a schema accepts %s', (_what, schema, good, wrong) => {
  const check = checkOf(Type.Object({ value: schema }));
  expect([...good, ...wrong].filter((value) => check({ value }).length === 0)).toEqual(good);
});

it('isText refuses strings with U+0000, wherever the character is', () => {
  expect([isText(''), isText('a', 'b'), isText('a\0'), isText('a', '\0')]).toEqual([true, true, false, false]);
});
