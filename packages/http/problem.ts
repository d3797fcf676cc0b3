/** What a kind of problem always says, whatever the request. */
export interface ProblemKind {
  status: number;
  title: string;
  /** For the caller's developer: when this happens and what to do. */
  meaning: string;
}

/** A closed list of what can go wrong, by code. */
export type ProblemKinds = Readonly<Record<string, ProblemKind>>;

/** What is wrong with one parameter of a request. */
export interface ParameterError {
  parameter: string;
  message: string;
}

export interface ProblemOptions {
  errors?: readonly ParameterError[];
  headers?: Readonly<Record<string, string>>;
}

/** A request that is answered with an error; `detail` is one sentence for the caller. Each server has its own subclass. */
export class HttpProblem extends Error {
  override name = 'Problem';
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly errors: readonly ParameterError[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: string, { status, title }: ProblemKind, detail: string, options: ProblemOptions = {}) {
    super(detail);
    this.code = code;
    this.status = status;
    this.title = title;
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
  }
}

/** On every answer: no browser may take it for another type than it says. */
export const NO_SNIFFING = { 'x-content-type-options': 'nosniff' };

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** The body of RFC 9457 as JSON. */
export function problemBody({ code, title, status, message, errors }: HttpProblem, requestId: string): string {
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
