import { expect, it } from 'vitest';
import { spellingsOf } from './dead-letters.ts';

const texts = (id: string) => spellingsOf(id).map(String);

it('searches a plain id once', () => {
  expect(texts('trip-1')).toEqual(['"trip-1"']);
});

it('knows how writers of ASCII spell an id, and that some escape slashes', () => {
  expect(texts('é/1')).toEqual(['"é/1"', '"é\\/1"', '"\\u00e9/1"', '"\\u00e9\\/1"', '"\\u00E9/1"', '"\\u00E9\\/1"']);
  expect(texts('🚚')).toContain('"\\ud83d\\ude9a"');
});

it('spells nothing that reads back as another id', () => {
  for (const id of ['a"b\\c', 'é', '\ttab', '🚚/ü', '\u007f']) {
    for (const text of texts(id)) expect(JSON.parse(text)).toBe(id);
  }
});
