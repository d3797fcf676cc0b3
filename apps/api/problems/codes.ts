import { COMMON_PROBLEMS, type ProblemKinds } from '@milepost/http';

/** The closed list of what can go wrong. A consumer may rely on `code`; adding one is a change of the interface. */
export const PROBLEMS = {
  ...COMMON_PROBLEMS,
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    meaning: 'The API key is missing, malformed, unknown or revoked.',
  },
  driver_not_found: {
    status: 404,
    title: 'Driver not found',
    meaning: 'The fleet has no such driver; for summaries, `errors` names every unknown one.',
  },
  trip_not_found: {
    status: 404,
    title: 'Trip not found',
    meaning: 'The fleet has no such trip, or it ended less than 4 hours ago.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path answers GET and HEAD only.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The header Content-Type is missing or is not application/json.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning: "The fleet's requests of this minute are used up; come back after `Retry-After` seconds.",
  },
} as const satisfies ProblemKinds;

export type ProblemCode = keyof typeof PROBLEMS;
