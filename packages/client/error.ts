import type { Problem } from './report-request.ts';

/** The service's problem codes. The service explains each code on its page `/docs/errors/<code>`. */
export type ProblemCode = Problem['code'];

/** Why a call failed. `code` distinguishes the cases. */
export type Failure =
  | {
      code: ProblemCode;
      status: number;
      problem: Problem;
      /** The value of `Retry-After`; null if the response has none. */
      retryAfterSeconds: number | null;
    }
  /** The response came from elsewhere, for example from a proxy. */
  | { code: 'unexpected_response'; status: number; retryAfterSeconds: number | null }
  /** There was no response, or the connection was lost. */
  | { code: 'unreachable' }
  /** No complete response arrived in time. */
  | { code: 'timed_out' };

const TRANSIENT_STATUSES: readonly number[] = [429, 502, 503, 504];

/** Every failed call rejects with this error, unless the caller aborted the call. */
export class MilepostError extends Error {
  override name = 'MilepostError';
  readonly failure: Failure;

  constructor(failure: Failure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }

  get code(): Failure['code'] {
    return this.failure.code;
  }

  /** Whether the same request may succeed later. */
  get isTransient(): boolean {
    return 'status' in this.failure ? TRANSIENT_STATUSES.includes(this.failure.status) : true;
  }
}

function isProblem(value: unknown): value is Problem {
  const { code, detail }: { code?: unknown; detail?: unknown } = Object(value);
  return typeof code === 'string' && typeof detail === 'string';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Converts `Retry-After`, which is a number of seconds or a date (RFC 9110), to seconds from now. */
function secondsOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const milliseconds = Date.parse(retryAfter) - Date.now();
  return Number.isNaN(milliseconds) ? null : Math.max(milliseconds / 1_000, 0);
}

/** Returns the error for an unsuccessful or unexpected response, whose body is `text`. */
export function responseError({ status, url, headers }: Response, text: string): MilepostError {
  const problem = parsed(text);
  const retryAfterSeconds = secondsOf(headers.get('retry-after'));
  if (status >= 400 && isProblem(problem)) {
    return new MilepostError({ code: problem.code, status, problem, retryAfterSeconds }, problem.detail);
  }
  const message = `${new URL(url).host} sent a response (status ${status}) that does not come from Milepost. Check the base URL.`;
  return new MilepostError({ code: 'unexpected_response', status, retryAfterSeconds }, message);
}
