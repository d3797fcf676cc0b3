import { expect, it } from 'vitest';
import { chainText } from './chain-text.ts';

it.each([
  [null, null, ''],
  [1_200, null, ', supersedes 1,200'],
  [null, 7, ', superseded by 7'],
  [1_200, 1_300, ', supersedes 1,200, superseded by 1,300'],
])('the text of a stored event between %s and %s names both of them', (supersedes, superseded_by, text) => {
  expect(chainText({ supersedes, superseded_by })).toBe(text);
});
