import { isTransientError, sqlState } from '@milepost/postgres';
import { COMMON_PROBLEMS, CommonProblem } from './common-problems.ts';
import { HttpProblem, type ProblemKinds } from './problem.ts';

const UNDEFINED_TABLE = '42P01';
const RETRY_AFTER_SECONDS = '2';

export const retryLater = { 'retry-after': RETRY_AFTER_SECONDS };

function isClientError(error: unknown): error is Error & { statusCode: number } {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500;
}

/**
 * Converts an error with which Fastify refused a request. Returns the problem that has the same status (such as 413) in
 * the server's list, or else `bad_request`.
 */
function refusal(error: Error & { statusCode: number }, kinds: ProblemKinds): HttpProblem {
  const [code, kind] =
    Object.entries(kinds).find(([, { status }]) => status === error.statusCode && status !== 400) ?? [];
  if (code === undefined || kind === undefined) return new CommonProblem('bad_request', error.message);
  return new HttpProblem(code, kind, `${error.message}.`.replace(/\.\.$/, '.'));
}

/**
 * Converts an error to a problem. The caller gets details only of errors in the request itself.
 *
 * @param kinds the server's closed list
 */
export function toProblem(error: unknown, kinds: ProblemKinds = COMMON_PROBLEMS): HttpProblem {
  if (error instanceof HttpProblem) return error;
  // Check client errors first: a reset connection may be the caller's own, and not the one to the database.
  if (isClientError(error)) return refusal(error, kinds);
  // Read tables do not exist before the first projection, and appear later, so the same request can succeed later.
  if (sqlState(error) === UNDEFINED_TABLE || isTransientError(error)) {
    return new CommonProblem('unavailable', 'The data cannot be read at the moment.', { headers: retryLater });
  }
  return new CommonProblem('internal', 'The request failed because of a fault in the service.');
}
