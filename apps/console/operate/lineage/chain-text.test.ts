import { expect, it } from 'vitest';
import { chainText } from './chain-text.ts';

it.each([
  [null, null, ''],
  [1_200, null, ', supersedes 1,200'],
  [null, 7, ', superseded by 7'],
  [1_200, 1_300, ', supersedes 1,200, superseded by 1,300'],
])('a stored event after %s and before %s shows both of its neighbours', (supersedes, superseded_by, text) => {
  expect(chainText({ supersedes, superseded_by })).toBe(text);
});
