import { expect, it, vi } from 'vitest';
import { MilepostError, responseError } from './error.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
const PROBLEM = JSON.stringify({ code: 'overloaded', detail: 'Too much.' });

function errorOf(status: number, text: string, retryAfter?: string): MilepostError {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  const response = new Response(text, { status, headers });
  Object.defineProperty(response, 'url', { value: 'https://milepost.example.org/api/v1/drivers' });
  return responseError(response, text);
}

it.each([
  ['a problem from the service', PROBLEM, 'overloaded'],
  ['a response from a proxy', '<html>', 'unexpected_response'],
])('the error for %s contains the delay from Retry-After in seconds', (_what, text, code) => {
  vi.spyOn(Date, 'now').mockReturnValue(NOW);
  const delayOf = (retryAfter?: string) => {
    const { failure } = errorOf(503, text, retryAfter);
    expect(failure.code).toBe(code);
    return 'status' in failure ? failure.retryAfterSeconds : 'no response';
  };
  expect(delayOf()).toBeNull();
  expect(delayOf('0')).toBe(0);
  expect(delayOf('7')).toBe(7);
  expect(delayOf('Sat, 31 Jan 2026 12:00:30 GMT')).toBe(30);
  expect(delayOf('Sat, 31 Jan 2026 11:59:30 GMT')).toBe(0);
  expect(delayOf('soon')).toBeNull();
});

it.each([
  [200, PROBLEM],
  [503, JSON.stringify({ code: 'overloaded' })],
  [503, JSON.stringify({ detail: 'Too much.' })],
  [503, JSON.stringify({ code: 1, detail: 'Too much.' })],
  [503, 'null'],
  [503, ''],
])('a response with status %i and the body %j is not a problem from the service', (status, text) => {
  expect(errorOf(status, text).code).toBe('unexpected_response');
});

it('only failures that another attempt may overcome are transient', () => {
  const transient = [200, 400, 404, 429, 500, 501, 502, 503, 504].filter((status) => errorOf(status, '').isTransient);
  expect(transient).toEqual([429, 502, 503, 504]);
  for (const code of ['unreachable', 'timed_out'] as const)
    expect(new MilepostError({ code }, 'No response.').isTransient).toBe(true);
});
