import { expect, it } from 'vitest';
import { integerColumn } from './columns.ts';
import { integerText, secondsText, wordsOf } from './text.ts';

it('integerText groups thousands, and distinguishes 0 from a missing figure', () => {
  expect([0, 999, 1_234_567, -1_000, null].map(integerText)).toEqual(['0', '999', '1,234,567', '-1,000', '–']);
});

it('secondsText has a decimal below ten seconds only', () => {
  expect([0, 0.04, 1.25, 9.94, 10, 45.6, 90, 5_400].map(secondsText)).toEqual([
    '0.0 s',
    '0.0 s',
    '1.3 s',
    '9.9 s',
    '10 s',
    '46 s',
    '1 min 30 s',
    '1 h 30 min',
  ]);
});

it('wordsOf separates all words of a value', () => {
  expect(wordsOf('start_time_in_future')).toBe('start time in future');
  expect(wordsOf('running')).toBe('running');
});

it('integerColumn shows a figure with commas, and keeps the plain number for a file', () => {
  const column = integerColumn('lag', 'Lag', ({ lag }: { lag: number | null }) => lag);
  expect(column).toMatchObject({ name: 'lag', title: 'Lag', isNumber: true });
  expect([4_711, 0, null].map((lag) => column.value({ lag }))).toEqual([4_711, 0, null]);
  expect([4_711, 0, null].map((lag) => column.cell?.({ lag }))).toEqual(['4,711', '0', '–']);
});
