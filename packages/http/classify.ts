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

/** What the framework refuses by itself: the kind of that status if the server's list has one, such as 413. */
function refusal(error: Error & { statusCode: number }, kinds: ProblemKinds): HttpProblem {
  const [code, kind] =
    Object.entries(kinds).find(([, { status }]) => status === error.statusCode && status !== 400) ?? [];
  if (code === undefined || kind === undefined) return new CommonProblem('bad_request', error.message);
  return new HttpProblem(code, kind, `${error.message}.`.replace(/\.\.$/, '.'));
}

/**
 * The problem that an error becomes. Of anything but a fault of the request, the caller learns nothing.
 *
 * @param kinds the server's closed list
 */
export function toProblem(error: unknown, kinds: ProblemKinds = COMMON_PROBLEMS): HttpProblem {
  if (error instanceof HttpProblem) return error;
  // First, for it may be the caller's own connection that was reset, and not the one to the database.
  if (isClientError(error)) return refusal(error, kinds);
  // Tables that nothing was projected into yet do not exist; they come without anybody changing the request.
  if (sqlState(error) === UNDEFINED_TABLE || isTransientError(error)) {
    return new CommonProblem('unavailable', 'The data cannot be read at the moment.', { headers: retryLater });
  }
  return new CommonProblem('internal', 'The request failed through a fault of the service.');
}
