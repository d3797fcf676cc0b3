import { expect, it } from 'vitest';
import { baseUrl } from './address.ts';

it.each([
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['::', 'http://[::1]:3000'],
  ['::1', 'http://[::1]:3000'],
  ['fe80::1', 'http://[fe80::1]:3000'],
  ['10.0.0.7', 'http://10.0.0.7:3000'],
  ['milepost.example', 'http://milepost.example:3000'],
])('a server that listens at %s has the base URL %s', (host, url) => {
  expect(baseUrl(host, 3_000)).toBe(url);
});
