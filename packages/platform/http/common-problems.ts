import { type ProblemKinds, problemsOf } from './problem.ts';

const TRY_LATER = 'The service is busy. Please try again in a moment.';
const BROKEN = 'Something went wrong. Please try again later.';

/** The problems that all servers share. Each server's closed list begins with these problems. */
export const COMMON_PROBLEMS = {
  invalid_parameter: {
    status: 400,
    meaning: 'Parameters are missing or wrong; `errors` names all of them with their rules.',
    remedy:
      'Correct every parameter in `errors`, and do not repeat the same request. If `start_date` comes from your user, show its `message`.',
    endUser: 'Please check what you entered.',
    example: 'Wrong or missing: start_date, driver_id.',
  },
  bad_request: {
    status: 400,
    meaning:
      'The request is not valid HTTP, does not have exactly one Host header, or has invalid percent-encoding in its path.',
    remedy: 'Percent-encode ids in paths, and send the request with an ordinary HTTP library.',
    endUser: BROKEN,
    example: "'/api/v1/driver/%zz/trips' is not a valid url component.",
  },
  not_found: {
    status: 404,
    meaning: 'The path does not exist.',
    remedy: 'Compare the path with `/openapi.json`. Paths are case-sensitive and have no slash at the end.',
    endUser: BROKEN,
    example: 'The path does not exist. See /openapi.json for all paths.',
  },
  request_timeout: {
    status: 408,
    meaning: 'The request did not arrive in time.',
    remedy: 'Try again, and send the whole request within 10 seconds.',
    endUser: TRY_LATER,
    example: 'The request did not arrive in time.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path does not support this method; the `Allow` header lists the supported methods.',
    remedy: 'Use a method listed in the `Allow` header.',
    endUser: BROKEN,
    example: 'This path supports only GET and HEAD.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The Content-Type header is missing or is not `application/json`.',
    remedy:
      'Send `Content-Type: application/json` with every request, even one without a body. An operator can disable this rule with `REQUIRE_CONTENT_TYPE=false`.',
    endUser: BROKEN,
    example:
      'The Content-Type header must be application/json, even on a GET without a body; an operator can disable this rule with REQUIRE_CONTENT_TYPE=false.',
  },
  expectation_failed: {
    status: 417,
    meaning: 'The Expect header has a value other than `100-continue`.',
    remedy: 'Do not send an Expect header.',
    endUser: BROKEN,
    example: 'The Expect header may only be 100-continue.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning: 'The limit on requests per minute has been reached; try again after `Retry-After` seconds.',
    remedy:
      'Wait for `Retry-After` seconds. The `RateLimit-Remaining` header in each response gives the number of remaining requests.',
    endUser: TRY_LATER,
    example: 'The limit of 5000 requests per minute has been reached: retry in 12 s.',
  },
  headers_too_large: {
    status: 431,
    title: 'Request header fields too large',
    meaning: 'The URL and the headers of the request exceed 128 KiB.',
    remedy: 'Name fewer drivers in one request, and send no cookies.',
    endUser: BROKEN,
    example: 'The URL and the headers of the request exceed 128 KiB.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    meaning: 'The service has a fault; report it with the `request_id`.',
    remedy:
      'Show your user the `request_id`, and report it to the operators of the service, who can find the cause in their logs under this id.',
    endUser: BROKEN,
    example: 'The request failed because of a fault in the service.',
  },
  overloaded: {
    status: 503,
    meaning: 'The service has more requests than it can handle in time; try again after `Retry-After` seconds.',
    remedy: 'Wait for `Retry-After` seconds and send fewer concurrent requests.',
    endUser: TRY_LATER,
    example: 'The service has more requests than it can handle in time.',
  },
  unavailable: {
    status: 503,
    meaning: 'The data cannot be read at the moment; try again after `Retry-After` seconds.',
    remedy: 'Wait for `Retry-After` seconds and try again. `/readyz` returns 200 when the service can handle requests.',
    endUser: TRY_LATER,
    example: 'The data cannot be read at the moment.',
  },
} as const satisfies ProblemKinds;

/** A problem that all servers share. */
export class CommonProblem extends problemsOf(COMMON_PROBLEMS) {}
