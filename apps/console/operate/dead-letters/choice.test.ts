import { expect, it } from 'vitest';
import { NO_FILTER } from '../route.ts';
import { type Choice, discardedText, namesOf, retriedText, typedFor } from './choice.ts';

const ids = (...list: number[]): Choice => ({ kind: 'ids', ids: list });
const all = (count: number): Choice => ({ kind: 'all', filter: NO_FILTER, count });

it.each([
  [ids(7), 'dead letter 7', '7'],
  [ids(7, 9), '2 dead letters', '2'],
  [all(1), 'the open dead letter that matches', '1'],
  [all(1_234), 'all 1,234 open dead letters that match', '1234'],
])('namesOf names the chosen dead letters; typedFor says what to type to discard them: %j', (choice, name, typed) => {
  expect(namesOf(choice)).toBe(name);
  expect(typedFor(choice)).toBe(typed);
});

const result = (outcome: string, message: string | null = null) => ({ outcome, message });

it('retriedText counts each outcome', () => {
  const results = [
    ...Array.from({ length: 4 }, () => result('stored')),
    ...Array.from({ length: 3 }, () => result('duplicate')),
    ...Array.from({ length: 2 }, () => result('refused', 'The record is too large.')),
    result('not_open'),
  ];
  expect(retriedText({ results, left: 0 })).toBe(
    '10 dead letters retried, 4 stored, 3 already stored, 2 refused again, 1 not open.',
  );
});

it('retriedText gives the reason if a single dead letter is refused, and counts those that are left', () => {
  const counts = '1 dead letter retried, 0 stored, 0 already stored, 1 refused again, 0 not open.';
  const results = [result('refused', 'The record is too large.')];
  expect(retriedText({ results, left: 0 })).toBe(`${counts} The record is too large.`);
  expect(retriedText({ results, left: 1 })).toBe(
    `${counts} The record is too large. 1 more dead letter matches: retry again.`,
  );
});

it('discardedText counts the discarded dead letters, those that were not open, and those that are left', () => {
  expect(discardedText({ discarded: [4], not_open: [5, 6], left: 0 })).toBe('1 dead letter discarded, 2 not open.');
  expect(discardedText({ discarded: [4, 5], not_open: [], left: 1_200 })).toBe(
    '2 dead letters discarded, 0 not open. 1,200 more dead letters match: discard again.',
  );
});
