import { expect, it } from 'vitest';
import { toProblem } from './classify.ts';
import { CommonProblem } from './common-problems.ts';

const failure = (message: string, properties: object) => Object.assign(new Error(message), properties);

it('toProblem returns a problem unchanged', () => {
  const problem = new CommonProblem('not_found', 'Nothing there.');
  expect(toProblem(problem)).toBe(problem);
});

it.each([
  ['an unavailable database', failure('connect', { code: 'ECONNREFUSED' })],
  ['a statement timeout', failure('canceling statement', { code: '57014' })],
  ['tables that do not exist yet', failure('relation "trips" does not exist', { code: '42P01' })],
  ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
  ['several database servers that do not respond', new Error('timeout expired')],
])('toProblem returns a 503 with Retry-After for %s', (_what, error) => {
  const problem = toProblem(error);
  expect(problem).toMatchObject({ code: 'unavailable', status: 503 });
  expect(Number(problem.headers['retry-after'])).toBeGreaterThan(0);
  expect(problem.message).not.toContain(error.message);
});

it('toProblem returns a 400 for an invalid request that the framework refuses', () => {
  expect(toProblem(failure("'%' is not a valid url component", { statusCode: 400 }))).toMatchObject({ status: 400 });
  // The caller's connection was reset, not the database's.
  expect(toProblem(failure('aborted', { statusCode: 400, code: 'ECONNRESET' }))).toMatchObject({ status: 400 });
});

it("toProblem returns the problem with the same status in the server's list, as a sentence", () => {
  const kind = { meaning: 'It broke.', remedy: 'Mend it.', example: 'It broke.' };
  const kinds = { wrong: { status: 400, ...kind }, body_too_large: { status: 413, ...kind } };
  const refused = (message: string, statusCode: number) => {
    const { code, status, message: detail } = toProblem(failure(message, { statusCode }), kinds);
    return [code, status, detail];
  };
  expect(refused('Request body is too large', 413)).toEqual(['body_too_large', 413, 'Request body is too large.']);
  expect(refused('Too large.', 413)).toEqual(['body_too_large', 413, 'Too large.']);
  expect(refused('Wrong length.', 400)).toEqual(['bad_request', 400, 'Wrong length.']);
  expect(refused('Unknown.', 499)).toEqual(['bad_request', 400, 'Unknown.']);
});

it.each([
  new Error('secret'),
  failure('secret', { code: '42703' }),
  failure('secret', { statusCode: 500 }),
  'secret',
  null,
])('toProblem reveals nothing about any other error (%s)', (error) => {
  const problem = toProblem(error);
  expect(problem).toMatchObject({ code: 'internal', status: 500 });
  expect(JSON.stringify([problem.message, problem.errors, problem.headers])).not.toContain('secret');
});
