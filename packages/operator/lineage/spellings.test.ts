import { expect, it } from 'vitest';
import { spellingsOf } from './dead-letters.ts';

const texts = (id: string) => spellingsOf(id).map(String);

it('spellingsOf returns one spelling for a plain id', () => {
  expect(texts('trip-1')).toEqual(['"trip-1"']);
});

it('spellingsOf includes ASCII escapes and escaped slashes', () => {
  expect(texts('é/1')).toEqual(['"é/1"', '"é\\/1"', '"\\u00e9/1"', '"\\u00e9\\/1"', '"\\u00E9/1"', '"\\u00E9\\/1"']);
  expect(texts('🚚')).toContain('"\\ud83d\\ude9a"');
});

it('spellingsOf returns only spellings that JSON.parse reads as the same id', () => {
  for (const id of ['a"b\\c', 'é', '\ttab', '🚚/ü', '\u007f']) {
    for (const text of texts(id)) expect(JSON.parse(text)).toBe(id);
  }
});
