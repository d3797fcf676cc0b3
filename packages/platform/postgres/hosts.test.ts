import { expect, it } from 'vitest';
import { parseHosts } from './hosts.ts';

it('parseHosts reads names and addresses, each with its own port or the default one', () => {
  expect(parseHosts('one:5433,[::1]:5434,two,[2001:db8::7],10.0.0.1:1')).toEqual([
    { host: 'one', port: 5_433 },
    { host: '::1', port: 5_434 },
    { host: 'two', port: 5_432 },
    { host: '2001:db8::7', port: 5_432 },
    { host: '10.0.0.1', port: 1 },
  ]);
});
