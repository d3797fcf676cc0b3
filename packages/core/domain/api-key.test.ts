import { expect, it } from 'vitest';
import { generateApiKey, hashApiKey, isApiKey } from './api-key.ts';

it('generateApiKey creates unique keys of 256 random bits that need no encoding in a header', () => {
  const keys = new Set(Array.from({ length: 1000 }, generateApiKey));
  expect(keys.size).toBe(1000);
  for (const key of keys) expect(isApiKey(key)).toBe(true);
});

it('hashApiKey returns equal hashes only for equal keys', () => {
  expect(hashApiKey('mp_a')).toEqual(hashApiKey('mp_a'));
  expect(hashApiKey('mp_a')).not.toEqual(hashApiKey('mp_b'));
});

it.each([
  ['with one character too many', (key: string) => `${key}A`],
  ['with one character too few', (key: string) => key.slice(0, -1)],
  ['with another prefix', (key: string) => `xx${key.slice(2)}`],
  ['after a space', (key: string) => ` ${key}`],
  ['with a character that base64url lacks', (key: string) => `${key.slice(0, -1)}+`],
])('isApiKey refuses a key %s', (_, changed) => {
  expect(isApiKey(changed(generateApiKey()))).toBe(false);
});
