interface ProblemKind {
  status: number;
  title: string;
  /** For the consumer's developer: when this happens and what to do. */
  meaning: string;
}

/** The closed list of what can go wrong. A consumer may rely on `code`; adding one is a change of the interface. */
export const PROBLEMS = {
  invalid_parameter: {
    status: 400,
    title: 'Invalid parameter',
    meaning: 'Parameters are missing or wrong; `errors` names all of them and says what would be right.',
  },
  bad_request: {
    status: 400,
    title: 'Bad request',
    meaning: 'The request is not valid HTTP, or its path is not valid percent-encoding.',
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    meaning: 'The API key is missing, malformed, unknown or revoked.',
  },
  not_found: { status: 404, title: 'Not found', meaning: 'There is no such path.' },
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
  request_timeout: { status: 408, title: 'Request timeout', meaning: 'The request did not arrive in time.' },
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
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;
