import { expect, it } from 'vitest';
import { readFailure, responseError } from './failure.ts';

it('readFailure parses a problem, and omits a fault that repeats the detail', () => {
  const detail = 'Must be a date.';
  const errors = [{ parameter: 'start_date', message: detail }, { message: 'Too long.' }, { parameter: 'page' }];
  expect(readFailure(400, { detail, errors, request_id: 'r-1' })).toEqual({
    kind: 'invalid',
    detail,
    faults: ['request: Too long.', 'page: wrong'],
    request_id: 'r-1',
  });
});

it.each([
  [400, 'invalid', null],
  [401, 'unauthorized', null],
  [403, 'broken', null],
  [404, 'not_found', null],
  [429, 'broken', 'rate_limited'],
  [500, 'broken', null],
  [502, 'broken', 'unavailable'],
  [503, 'broken', 'unavailable'],
  [504, 'broken', 'unavailable'],
])('responseError for status %d is %s, and the reason to retry is %s', (status, kind, reason) => {
  const error = responseError(status, '7', { detail: 'Because.', request_id: 'r-2' });
  expect(error.failure).toEqual({ kind, detail: 'Because.', faults: [], request_id: 'r-2' });
  expect(error.transient).toEqual(reason === null ? null : { reason, retryAfter: '7' });
  expect(error.message).toBe('Because.');
});

it.each([undefined, null, '', '<html>', 7, [], { detail: 7, errors: 'x' }, { errors: [null] }])(
  'readFailure returns a sentence for a response without a problem (%j)',
  (body) => {
    expect(readFailure(502, body)).toMatchObject({
      kind: 'broken',
      detail: 'The service responded with status 502.',
      request_id: null,
    });
  },
);
