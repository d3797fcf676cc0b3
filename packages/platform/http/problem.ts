import type { ParameterError } from '@milepost/validation';

/**
 * The sentences that the reference and the code's page show about a kind of problem. They do not depend on the request.
 */
interface ProblemKind {
  status: number;
  /** The title; the default is the code in words. */
  title?: string;
  /** The cause, for the caller's developer. */
  meaning: string;
  /** The remedy, for the caller's developer. */
  remedy: string;
  /**
   * Text that the caller's program may show to its own user. If there is none, only the developer can act on the
   * problem.
   */
  endUser?: string;
  /** An example of `detail`. */
  example: string;
}

/** A closed list of problems, by code. */
export type ProblemKinds = Readonly<Record<string, ProblemKind>>;

interface ProblemOptions {
  errors?: readonly ParameterError[];
  /** Additional members of the body, which RFC 9457 calls extensions. */
  extensions?: object;
  headers?: Readonly<Record<string, string>>;
}

/** An error that the server sends as the response to a request. `problemsOf` returns each server's subclass. */
export class HttpProblem extends Error {
  override name = 'Problem';
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly errors: readonly ParameterError[];
  readonly extensions: object;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: string, kind: Pick<ProblemKind, 'status' | 'title'>, detail: string, options: ProblemOptions = {}) {
    super(detail);
    this.code = code;
    this.status = kind.status;
    this.title = titleOf(code, kind);
    this.errors = options.errors ?? [];
    this.extensions = options.extensions ?? {};
    this.headers = options.headers ?? {};
  }
}

/**
 * Returns the error class for a server's closed list of problems. Hooks and handlers throw instances of it, whose
 * `detail` is one sentence for the caller.
 */
export function problemsOf<Code extends string>(kinds: Readonly<Record<Code, ProblemKind>>) {
  return class extends HttpProblem {
    constructor(code: Code, detail: string, options?: ProblemOptions) {
      super(code, kinds[code], detail, options);
    }
  };
}

/** The title for a kind of problem. */
export function titleOf(code: string, { title }: Pick<ProblemKind, 'title'>): string {
  return title ?? `${code.slice(0, 1).toUpperCase()}${code.slice(1).replaceAll('_', ' ')}`;
}

/** The path of the page that explains a code. */
export function problemPath(code: string): string {
  return `/docs/errors/${code}`;
}

/** Every response has this header, so that browsers do not guess another content type. */
export const NO_SNIFFING = { 'x-content-type-options': 'nosniff' };

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/**
 * The fields of RFC 9457, in the order in which they are sent.
 *
 * @param publicUrl the URL at which clients reach the server, without a trailing slash; empty if they reach it at its
 *   root
 */
export function problemDetails(
  { code, title, status, message, errors, extensions }: Omit<HttpProblem, 'headers' | 'name'>,
  requestId: string,
  publicUrl: string,
) {
  return {
    type: `${publicUrl}${problemPath(code)}`,
    title,
    status,
    detail: message,
    code,
    request_id: requestId,
    ...(errors.length > 0 ? { errors } : {}),
    ...extensions,
  };
}
