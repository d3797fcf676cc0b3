/** What a kind of problem always says, whatever the request. The reference and the page of the code are made of it. */
interface ProblemKind {
  status: number;
  /** The code in words, unless it is said. */
  title?: string;
  /** For the caller's developer: what happened. */
  meaning: string;
  /** For the caller's developer: what to do about it. */
  remedy: string;
  /** What the caller's program may tell its own user. Without it, that is for its developer alone. */
  endUser?: string;
  /** A `detail` as an answer has it. */
  example: string;
}

/** A closed list of what can go wrong, by code. */
export type ProblemKinds = Readonly<Record<string, ProblemKind>>;

/** What is wrong with one parameter of a request. */
export interface ParameterError {
  parameter: string;
  message: string;
}

interface ProblemOptions {
  errors?: readonly ParameterError[];
  headers?: Readonly<Record<string, string>>;
}

/** A request that is answered with an error. Each server has its own subclass: `problemsOf` makes it. */
export class HttpProblem extends Error {
  override name = 'Problem';
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly errors: readonly ParameterError[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: string, kind: Pick<ProblemKind, 'status' | 'title'>, detail: string, options: ProblemOptions = {}) {
    super(detail);
    this.code = code;
    this.status = kind.status;
    this.title = titleOf(code, kind);
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
  }
}

/**
 * Makes the class of a server's problems, whose codes are those of its closed list. Thrown anywhere on the way of a request;
 * `detail` is one sentence for the caller.
 */
export function problemsOf<Code extends string>(kinds: Readonly<Record<Code, ProblemKind>>) {
  return class extends HttpProblem {
    constructor(code: Code, detail: string, options?: ProblemOptions) {
      super(code, kinds[code], detail, options);
    }
  };
}

/** What a kind of problem is called. */
export function titleOf(code: string, { title }: Pick<ProblemKind, 'title'>): string {
  return title ?? `${code.slice(0, 1).toUpperCase()}${code.slice(1).replaceAll('_', ' ')}`;
}

/** Where a server explains a code. */
export function problemPath(code: string): string {
  return `/docs/errors/${code}`;
}

/** On every answer: no browser may take it for another type than it says. */
export const NO_SNIFFING = { 'x-content-type-options': 'nosniff' };

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** The fields of RFC 9457, in the order in which they are sent. */
export function problemDetails(
  { code, title, status, message, errors }: Pick<HttpProblem, 'code' | 'title' | 'status' | 'message' | 'errors'>,
  requestId: string,
) {
  return {
    type: problemPath(code),
    title,
    status,
    detail: message,
    code,
    request_id: requestId,
    ...(errors.length > 0 ? { errors } : {}),
  };
}

/** The body of RFC 9457 as JSON. */
export function problemBody(problem: HttpProblem, requestId: string): string {
  return JSON.stringify(problemDetails(problem, requestId));
}
