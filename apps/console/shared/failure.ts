/** Why a question has no answer, for people to read. */
export interface Failure {
  /** `refused`: the key or token; the visitor is asked for another one. */
  kind: 'not_found' | 'invalid' | 'refused' | 'broken';
  detail: string;
  /** All that is wrong with the parameters, one sentence each. */
  faults: string[];
  /** Names the request in the logs of the service; null when the answer did not come from it. */
  request_id: string | null;
}

/** Thrown where a question fails for good. */
export class QuestionFailed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.detail);
    this.failure = failure;
  }
}

function textIn(value: unknown, name: string): string | null {
  const text: unknown = Object(value)[name];
  return typeof text === 'string' ? text : null;
}

const KINDS: Readonly<Record<number, Failure['kind']>> = { 400: 'invalid', 401: 'refused', 404: 'not_found' };

/** Reads a problem (RFC 9457). Total: a proxy between us and the service may have answered anything. */
export function readFailure(status: number, problem: unknown): Failure {
  const errors: unknown = Object(problem).errors;
  const detail = textIn(problem, 'detail') ?? `The service answered with status ${status}.`;
  // A single fault is often the detail itself: nobody has to read it twice.
  const further = Array.isArray(errors) ? errors.filter((error) => textIn(error, 'message') !== detail) : [];
  return {
    kind: KINDS[status] ?? 'broken',
    detail,
    faults: further.map(
      (error) => `${textIn(error, 'parameter') ?? 'request'}: ${textIn(error, 'message') ?? 'wrong'}`,
    ),
    request_id: textIn(problem, 'request_id'),
  };
}
