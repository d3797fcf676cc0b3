import { type ProblemKinds, problemsOf } from './problem.ts';

const TRY_LATER = 'The service is busy. Please try again in a moment.';
const BROKEN = 'Something went wrong. Please try again later.';

/** What can go wrong with any request to any server of ours; each server's closed list begins with these. */
export const COMMON_PROBLEMS = {
  invalid_parameter: {
    status: 400,
    meaning: 'Parameters are missing or wrong; `errors` names all of them and says what would be right.',
    remedy: 'Correct every parameter in `errors`. The same request gets the same answer, so do not repeat it.',
    endUser: 'Please check what you entered. (If `start_date` is from your user, show its `message`.)',
    example: 'Wrong or missing: start_date, driver_id.',
  },
  bad_request: {
    status: 400,
    meaning: 'The request is not valid HTTP, has no Host or several, or its path is not valid percent-encoding.',
    remedy: 'Percent-encode ids in paths, and send the request with an ordinary HTTP library.',
    endUser: BROKEN,
    example: "'/api/v1/driver/%zz/trips' is not a valid url component.",
  },
  not_found: {
    status: 404,
    meaning: 'There is no such path.',
    remedy: 'Compare the path with `/openapi.json`. Paths are case-sensitive, and have no slash at the end.',
    endUser: BROKEN,
    example: 'There is no such path: see /openapi.json for those there are.',
  },
  request_timeout: {
    status: 408,
    meaning: 'The request did not arrive in time.',
    remedy: 'Send the whole request within 10 seconds, and try again.',
    endUser: TRY_LATER,
    example: 'The request did not arrive in time.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path answers other methods: `Allow` names them.',
    remedy: 'Use a method that `Allow` names.',
    endUser: BROKEN,
    example: 'This path answers GET and HEAD only.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The header Content-Type is missing or is not `application/json`.',
    remedy: 'Send `Content-Type: application/json` with every request, also with those without a body.',
    endUser: BROKEN,
    example: 'The header Content-Type must be application/json.',
  },
  expectation_failed: {
    status: 417,
    meaning: 'The header Expect asks for something else than `100-continue`.',
    remedy: 'Leave the header Expect out.',
    endUser: BROKEN,
    example: 'The header Expect may only be 100-continue.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning: 'The requests of this minute are used up; try again after `Retry-After` seconds.',
    remedy:
      'Wait for as long as `Retry-After` says. `RateLimit-Remaining` of each answer says how many requests are left.',
    endUser: TRY_LATER,
    example: 'The 5000 requests of this minute are used up: retry in 12 s.',
  },
  headers_too_large: {
    status: 431,
    title: 'Request header fields too large',
    meaning: 'The address and the headers of the request exceed 128 KiB.',
    remedy: 'Ask for fewer drivers at once, and send no cookies.',
    endUser: BROKEN,
    example: 'The address and the headers of the request exceed 128 KiB.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    meaning: 'A fault of the service; report it with the `request_id`.',
    remedy: 'Report it to those who run the service, with the `request_id`: their logs have the cause under it.',
    endUser: `${BROKEN} (Show the \`request_id\`, so that it can be reported.)`,
    example: 'The request failed through a fault of the service.',
  },
  overloaded: {
    status: 503,
    meaning: 'More requests are under way than can be answered in time; try again after `Retry-After` seconds.',
    remedy: 'Wait for as long as `Retry-After` says, and send fewer requests at once.',
    endUser: TRY_LATER,
    example: 'More requests are under way than can be answered in time.',
  },
  unavailable: {
    status: 503,
    meaning: 'The data cannot be read at the moment; try again after `Retry-After` seconds.',
    remedy: 'Wait for as long as `Retry-After` says, and try again. `/readyz` says when requests can be answered.',
    endUser: TRY_LATER,
    example: 'The data cannot be read at the moment.',
  },
} as const satisfies ProblemKinds;

/** A problem that no server has for itself alone. */
export class CommonProblem extends problemsOf(COMMON_PROBLEMS) {}
