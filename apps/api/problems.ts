import { COMMON_PROBLEMS, type ProblemKinds, problemsOf } from '@milepost/http';

/** The closed list of what can go wrong. A consumer may rely on `code`; adding one is a change of the interface. */
export const PROBLEMS = {
  ...COMMON_PROBLEMS,
  unauthorized: {
    status: 401,
    meaning: 'The API key is missing, malformed, unknown or revoked.',
    remedy:
      'Send one header `Authorization: APIKEY <key>`. Ask those who run the service for a new key if it was revoked.',
    endUser: 'The reports are not available. Please contact support.',
    example: 'The API key is unknown or revoked.',
  },
  driver_not_found: {
    status: 404,
    meaning: 'The fleet has no such driver; for summaries, `errors` names every unknown one.',
    remedy: 'Take `driver_id` from the list of drivers, and percent-encode it. Leave out the drivers in `errors`.',
    endUser: 'There are no reports about this driver yet.',
    example: 'The fleet has no driver "driver-00099".',
  },
  trip_not_found: {
    status: 404,
    meaning: 'The fleet has no such trip, or it ended less than 4 hours ago.',
    remedy:
      'Ask again 4 hours after the end of the trip. If it is still missing, it was never received, or was deleted.',
    endUser: 'The trip is not available yet. Trips appear 4 hours after they end.',
    example: 'The fleet has no trip "2f5e76a3ae0e809f384603a8ee6cee59" that can be seen yet.',
  },
} as const satisfies ProblemKinds;

export type ProblemCode = keyof typeof PROBLEMS;

/** A request that is answered with an error. Thrown anywhere on its way; `detail` is one sentence for the consumer. */
export class Problem extends problemsOf(PROBLEMS) {}
