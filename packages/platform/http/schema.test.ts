import { expect, it } from 'vitest';
import { problemDetails } from './problem.ts';
import { problemExamples, problemResponses, RATE_LIMIT_HEADERS } from './schema.ts';

const kind = (status: number) => ({ status, meaning: 'It broke.', remedy: 'Mend it.', example: 'It broke.' });
const KINDS = {
  invalid_parameter: kind(400),
  bad_request: kind(400),
  unauthorized: kind(401),
  request_timeout: kind(408),
  expectation_failed: kind(417),
  rate_limited: kind(429),
  headers_too_large: kind(431),
  overloaded: kind(503),
};
const CODES = ['invalid_parameter', 'unauthorized', 'request_timeout', 'expectation_failed'] as const;
const LATER_CODES = ['rate_limited', 'headers_too_large', 'overloaded', 'bad_request'] as const;
const RATE_HEADERS = Object.keys(RATE_LIMIT_HEADERS);

function headersOf(counted: boolean): Record<string, string[]> {
  const responses = Object.entries(problemResponses(KINDS, [...CODES, ...LATER_CODES], { counted }));
  return Object.fromEntries(responses.map(([status, { headers }]) => [status, Object.keys(headers)]));
}

it('the document states Retry-After and the headers of the rate limit for the answers that have them', () => {
  const retry = ['Retry-After'];
  const own = { 400: [], 401: ['WWW-Authenticate'], 408: [], 417: [], 429: retry, 431: [], 503: retry };
  expect(headersOf(false)).toEqual(own);
  expect(headersOf(true)).toEqual({ ...own, 400: RATE_HEADERS, 429: [...retry, ...RATE_HEADERS] });
});

it('the document has one answer for all problems with the same status', () => {
  const { 400: answer } = problemResponses(KINDS, ['invalid_parameter', 'bad_request'], { counted: false });
  expect(answer).toMatchObject({
    description: '`invalid_parameter`, `bad_request`',
    content: {
      'application/problem+json': {
        examples: {
          invalid_parameter: { $ref: '#/components/examples/invalid_parameter' },
          bad_request: { $ref: '#/components/examples/bad_request' },
        },
      },
    },
  });
});

it('only the example of wrong parameters names parameters', () => {
  const named = Object.entries(problemExamples(KINDS)).filter(([, { value }]) => 'errors' in value);
  expect(named.map(([code]) => code)).toEqual(['invalid_parameter']);
});

it('a problem has the URL of its page, and only the members that it needs', () => {
  const problem = { code: 'not_found', title: 'Not found', status: 404, message: 'Nothing.', errors: [] };
  const common = { title: 'Not found', status: 404, detail: 'Nothing.', code: 'not_found', request_id: 'request-1' };
  expect(problemDetails({ ...problem, extensions: {} }, 'request-1', '')).toEqual({
    type: '/docs/errors/not_found',
    ...common,
  });
  const errors = [{ parameter: 'page', message: 'Must be 1.' }];
  const extended = { ...problem, errors, extensions: { next: [] } };
  expect(problemDetails(extended, 'request-1', 'https://example.org/milepost')).toEqual({
    type: 'https://example.org/milepost/docs/errors/not_found',
    ...common,
    errors,
    next: [],
  });
});
