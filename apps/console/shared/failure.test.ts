import { expect, it } from 'vitest';
import { readFailure } from './failure.ts';

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
