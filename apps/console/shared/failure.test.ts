import { expect, it } from 'vitest';
import { readFailure, responseError, unreachableError } from './failure.ts';

it('readFailure parses the problem of an invalid request', () => {
  const problem = {
    detail: 'Wrong or missing: page.',
    request_id: 'r-1',
    errors: [{ parameter: 'page', message: 'Must be a plain decimal integer.' }],
  };
  expect(readFailure(400, problem)).toEqual({
    kind: 'invalid',
    detail: 'Wrong or missing: page.',
    faults: ['page: Must be a plain decimal integer.'],
    request_id: 'r-1',
  });
});

it('readFailure omits a fault that repeats the detail, and names the request for a fault without a parameter', () => {
  const detail = 'Must be a date.';
  const errors = [{ parameter: 'start_date', message: detail }, { message: 'Too long.' }, { parameter: 'page' }];
  expect(readFailure(400, { detail, errors }).faults).toEqual(['request: Too long.', 'page: wrong']);
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
])('responseError of status %d is %s, and the reason to retry is %s', (status, kind, reason) => {
  const error = responseError(status, '7', { detail: 'Because.', request_id: 'r-2' });
  expect(error.failure).toEqual({ kind, detail: 'Because.', faults: [], request_id: 'r-2' });
  expect(error.transient).toEqual(reason === null ? null : { reason, retryAfter: '7' });
  expect(error.message).toBe('Because.');
});

it('unreachableError is retried without a Retry-After header', () => {
  const { failure, transient } = unreachableError();
  expect(failure).toEqual({ kind: 'broken', detail: 'The service did not answer.', faults: [], request_id: null });
  expect(transient).toEqual({ reason: 'unreachable', retryAfter: null });
});

it.each([undefined, null, '', '<html>', 7, [], { detail: 7, errors: 'x' }, { errors: [null] }])(
  'readFailure returns a sentence for a response without a problem (%j)',
  (body) => {
    expect(readFailure(502, body)).toMatchObject({
      kind: 'broken',
      detail: 'The service answered with status 502.',
      request_id: null,
    });
  },
);
