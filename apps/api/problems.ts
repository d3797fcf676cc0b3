import { COMMON_PROBLEMS } from '@milepost/http/common-problems';
import { type ProblemKinds, problemsOf } from '@milepost/http/problem';

/** The closed list of problems. Consumers may rely on `code`, so a new code changes the interface. */
export const PROBLEMS = {
  ...COMMON_PROBLEMS,
  unauthorized: {
    status: 401,
    meaning: 'The API key is missing, malformed, unknown, revoked or expired.',
    remedy:
      'Send exactly one `Authorization` header: `APIKEY <key>`. If the key was revoked, ask the operators of the service for a new one.',
    endUser: 'The reports are not available. Please contact support.',
    example: 'The API key is unknown, revoked or expired.',
  },
  driver_not_found: {
    status: 404,
    meaning: 'The fleet has no such driver. For summaries, `errors` names every unknown driver.',
    remedy:
      'Use a `driver_id` from the list of drivers, and percent-encode it. Omit the drivers listed in `errors` from the request.',
    endUser: 'There are no reports about this driver yet.',
    example: 'The fleet has no driver "driver-00099".',
  },
  trip_not_found: {
    status: 404,
    meaning: 'The fleet has no such trip, or the trip ended less than 4 hours ago.',
    remedy:
      'Send the request again 4 hours after the end of the trip. If the trip is still missing, it was never received or has been deleted.',
    endUser: 'The trip is not available yet. Trips appear 4 hours after they end.',
    example: 'The fleet has no trip "2f5e76a3ae0e809f384603a8ee6cee59" that is visible yet.',
  },
} as const satisfies ProblemKinds;

export type ProblemCode = keyof typeof PROBLEMS;

/** An error that the API sends as a response. Hooks and handlers throw it; `detail` is a sentence for the consumer. */
export class Problem extends problemsOf(PROBLEMS) {}
