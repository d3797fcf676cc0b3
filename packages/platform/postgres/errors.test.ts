import { expect, it } from 'vitest';
import { isTransientError, sqlState } from './errors.ts';

const withCode = (code: unknown, message = 'fault') => Object.assign(new Error(message), { code });

it.each([
  ...['08006', '40001', '40P01', '53100', '53300', '57014', '57P01', '58030', '55P03', '25P03', '25006'],
  ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'],
  ...['ECONNABORTED', 'ENETUNREACH'],
])('an error with the code %s is transient, alone or among others', (code) => {
  expect(isTransientError(withCode(code))).toBe(true);
  expect(isTransientError(new AggregateError([withCode('23505'), withCode(code)]))).toBe(true);
});

it.each([...['23505', '22P02', '25P02', '42501', '42P01', '55000', '28P01', '3D000', 'XX000', 'ENOENT', 57_014]])(
  'an error with the code %s is permanent',
  (code) => {
    expect(isTransientError(withCode(code))).toBe(false);
    expect(isTransientError(new AggregateError([withCode(code)]))).toBe(false);
  },
);

it('an error without a code is transient when node-postgres lost a connection, or could not open one', () => {
  for (const message of [
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Query read timeout',
    'Client was closed and is not queryable',
    'Connection ended unexpectedly',
    'Client has encountered a connection error and is not queryable',
  ]) {
    expect(isTransientError(new Error(message)), message).toBe(true);
    // PostgreSQL's code takes precedence over the message, because the message may quote any text.
    expect(isTransientError(withCode('23505', message)), message).toBe(false);
    expect(isTransientError(message), message).toBe(false);
  }
  for (const value of [new Error('fault'), null, undefined, 7, {}]) expect(isTransientError(value)).toBe(false);
});

it('sqlState returns a code from PostgreSQL, and no other code', () => {
  expect(sqlState(withCode('57P01'))).toBe('57P01');
  for (const code of ['ECONNRESET', 'EPIPES', '5701', '57p01', 57_014]) expect(sqlState(withCode(code))).toBeNull();
  expect(sqlState({ code: '57P01' })).toBeNull();
});
