import { expect, it } from 'vitest';
import { withPort } from './hosts.ts';

it('withPort adds the default port to names and addresses that have none', () => {
  const hosts = ['one:5433', '[::1]:5434', 'two', '[2001:db8::7]', '10.0.0.1:1'];
  expect(hosts.map(withPort)).toEqual(['one:5433', '[::1]:5434', 'two:5432', '[2001:db8::7]:5432', '10.0.0.1:1']);
});
