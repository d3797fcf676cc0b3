import { expect, it } from 'vitest';
import { generateApiKey, hashApiKey, isApiKey } from './api-key.ts';

it('makes keys of 256 random bits that never repeat and travel in a header as they are', () => {
  const keys = new Set(Array.from({ length: 1000 }, generateApiKey));
  expect(keys.size).toBe(1000);
  for (const key of keys) expect(isApiKey(key)).toBe(true);
});

it('hashes equal keys equally and others differently', () => {
  expect(hashApiKey('mp_a')).toEqual(hashApiKey('mp_a'));
  expect(hashApiKey('mp_a')).not.toEqual(hashApiKey('mp_b'));
});
