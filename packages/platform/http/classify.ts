import { isTransientError, SQLSTATES, sqlState } from '@milepost/postgres';
import { COMMON_PROBLEMS, CommonProblem } from './common-problems.ts';
import { HttpProblem, type ProblemKinds } from './problem.ts';

const RETRY_AFTER_SECONDS = '2';

export const retryLater = { 'retry-after': RETRY_AFTER_SECONDS };

function isClientError(error: unknown): error is Error & { statusCode: number } {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500;
}

/**
 * Converts Fastify's error for a refused request to the problem with the same status, such as 413, in the server's
 * list. If the list has no such problem, the result is `bad_request`.
 */
function refusal(error: Error & { statusCode: number }, kinds: ProblemKinds): HttpProblem {
  const [code, kind] =
    Object.entries(kinds).find(([, { status }]) => status === error.statusCode && status !== 400) ?? [];
  if (code === undefined || kind === undefined) return new CommonProblem('bad_request', error.message);
  return new HttpProblem(code, kind, `${error.message}.`.replace(/\.\.$/, '.'));
}

/**
 * Converts an error to a problem, which gives the caller details only if the request itself is wrong.
 *
 * @param kinds the server's closed list
 */
export function toProblem(error: unknown, kinds: ProblemKinds = COMMON_PROBLEMS): HttpProblem {
  if (error instanceof HttpProblem) return error;
  // Check client errors first, because a reset connection may be the caller's own rather than the database's.
  if (isClientError(error)) return refusal(error, kinds);
  // The read tables do not exist until the first projection creates them, so the same request can succeed later.
  if (sqlState(error) === SQLSTATES.undefined_table || isTransientError(error)) {
    return new CommonProblem('unavailable', 'The data cannot be read at the moment.', { headers: retryLater });
  }
  return new CommonProblem('internal', 'The request failed because of a fault in the service.');
}
