import { PROBLEMS, type ProblemCode } from './codes.ts';

/** What is wrong with one parameter of a request. */
export interface ParameterError {
  parameter: string;
  message: string;
}

export interface ProblemOptions {
  errors?: readonly ParameterError[];
  headers?: Readonly<Record<string, string>>;
}

/** A request that is answered with an error. Thrown anywhere on its way; `detail` is one sentence for the consumer. */
export class Problem extends Error {
  override name = 'Problem';
  readonly code: ProblemCode;
  readonly errors: readonly ParameterError[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail);
    this.code = code;
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** The body of RFC 9457 as JSON. */
export function problemBody({ code, message, errors }: Problem, requestId: string): string {
  const { title, status } = PROBLEMS[code];
  return JSON.stringify({
    type: `urn:milepost:problem:${code}`,
    title,
    status,
    detail: message,
    code,
    request_id: requestId,
    ...(errors.length > 0 ? { errors } : {}),
  });
}
