import { isPassingFault, sqlState } from '@milepost/postgres';
import { Problem } from './problem.ts';

const UNDEFINED_TABLE = '42P01';
const RETRY_AFTER_SECONDS = '2';

export const retryLater = { 'retry-after': RETRY_AFTER_SECONDS };

function isClientError(error: unknown): error is Error {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500;
}

/** The problem that an error becomes. Of anything but a fault of the request, the consumer learns nothing. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  // Tables that nothing was projected into yet do not exist; they come without anybody changing the request.
  if (sqlState(error) === UNDEFINED_TABLE || isPassingFault(error)) {
    return new Problem('unavailable', 'The data cannot be read at the moment.', { headers: retryLater });
  }
  if (isClientError(error)) return new Problem('bad_request', error.message);
  return new Problem('internal', 'The request failed through a fault of the service.');
}
