import { HttpProblem, type ProblemKinds, type ProblemOptions } from './problem.ts';

/** What can go wrong with any request to any server of ours; each server's closed list begins with these. */
export const COMMON_PROBLEMS = {
  invalid_parameter: {
    status: 400,
    title: 'Invalid parameter',
    meaning: 'Parameters are missing or wrong; `errors` names all of them and says what would be right.',
  },
  bad_request: {
    status: 400,
    title: 'Bad request',
    meaning: 'The request is not valid HTTP, has no Host or several, or its path is not valid percent-encoding.',
  },
  not_found: { status: 404, title: 'Not found', meaning: 'There is no such path.' },
  request_timeout: { status: 408, title: 'Request timeout', meaning: 'The request did not arrive in time.' },
  expectation_failed: {
    status: 417,
    title: 'Expectation failed',
    meaning: 'The header Expect asks for something else than `100-continue`.',
  },
  headers_too_large: {
    status: 431,
    title: 'Request header fields too large',
    meaning: 'The address and the headers of the request exceed 128 KiB.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    meaning: 'A fault of the service; report it with the `request_id`.',
  },
  overloaded: {
    status: 503,
    title: 'Overloaded',
    meaning: 'More requests are under way than can be answered in time; try again after `Retry-After` seconds.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    meaning: 'The data cannot be read at the moment; try again after `Retry-After` seconds.',
  },
} as const satisfies ProblemKinds;

/** A problem that no server has for itself alone. */
export class CommonProblem extends HttpProblem {
  constructor(code: keyof typeof COMMON_PROBLEMS, detail: string, options?: ProblemOptions) {
    super(code, COMMON_PROBLEMS[code], detail, options);
  }
}
