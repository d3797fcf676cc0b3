/** Explains to the reader why a request failed. */
export interface Failure {
  /** `unauthorized` means that the service refused the key or token. The reader must then enter a new one. */
  kind: 'not_found' | 'invalid' | 'unauthorized' | 'broken';
  detail: string;
  /** One sentence for each invalid parameter. */
  faults: string[];
  /** The request's id in the service's log; null if the response did not come from the service. */
  request_id: string | null;
}

/** Why the same request may succeed if it is sent again later. */
interface Transient {
  reason: 'rate_limited' | 'unavailable' | 'unreachable';
  /** The value of the `Retry-After` header; null if it is absent. */
  retryAfter: string | null;
}

/** The error that every failed request throws. */
export class RequestError extends Error {
  readonly failure: Failure;
  /** The reason to retry; null if the same request would fail again. */
  readonly transient: Transient | null;
  /** When the request failed, in epoch milliseconds. */
  readonly at = Date.now();

  constructor(failure: Failure, transient: Transient | null) {
    super(failure.detail);
    this.failure = failure;
    this.transient = transient;
  }
}

function textIn(value: unknown, name: string): string | null {
  const text: unknown = Object(value)[name];
  return typeof text === 'string' ? text : null;
}

const KINDS: Readonly<Record<number, Failure['kind']>> = { 400: 'invalid', 401: 'unauthorized', 404: 'not_found' };

const TRANSIENT_REASONS: Readonly<Record<number, Transient['reason']>> = {
  429: 'rate_limited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

/** Reads a problem (RFC 9457). Accepts anything, because a proxy may have sent the response. */
export function readFailure(status: number, problem: unknown): Failure {
  const errors: unknown = Object(problem).errors;
  const detail = textIn(problem, 'detail') ?? `The service responded with status ${status}.`;
  // If there is only one fault, its message often repeats the detail.
  const others = Array.isArray(errors) ? errors.filter((error) => textIn(error, 'message') !== detail) : [];
  return {
    kind: KINDS[status] ?? 'broken',
    detail,
    faults: others.map((error) => `${textIn(error, 'parameter') ?? 'request'}: ${textIn(error, 'message') ?? 'wrong'}`),
    request_id: textIn(problem, 'request_id'),
  };
}

/** The error for an unsuccessful response. `retryAfter` is the value of its `Retry-After` header. */
export function responseError(status: number, retryAfter: string | null, problem: unknown): RequestError {
  const reason = TRANSIENT_REASONS[status];
  return new RequestError(readFailure(status, problem), reason === undefined ? null : { reason, retryAfter });
}

/** The error for a request without a response. */
export function unreachableError(): RequestError {
  const failure: Failure = { kind: 'broken', detail: 'The service did not respond.', faults: [], request_id: null };
  return new RequestError(failure, { reason: 'unreachable', retryAfter: null });
}
