import { expect, it } from 'vitest';
import { fileName } from './download.ts';

it('fileName keeps letters and digits of every script, and replaces what a file system may refuse', () => {
  expect(fileName('trips-d/1 & co?#%-2025.csv')).toBe('trips-d-1-co--2025.csv');
  expect(fileName('Zoë_Ångström-東京٣.csv')).toBe('Zoë_Ångström-東京٣.csv');
  expect(fileName('a\\b:c*d"e<f>g|h\n')).toBe('a-b-c-d-e-f-g-h-');
});

it('fileName is at most 80 characters long', () => {
  expect([fileName('x'.repeat(80)), fileName('x'.repeat(81))]).toEqual(['x'.repeat(80), 'x'.repeat(80)]);
});
