import { CommonProblem } from './common-problems.ts';
import type { ParameterError } from './problem.ts';

/** Percent-encoding of form values; null when it does not spell UTF-8. */
function decode(text: string): string | null {
  // Most values are spelled plainly, and a summary's request has twenty of them.
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

function parse(url: string): Map<string, (string | null)[]> {
  const parameters = new Map<string, (string | null)[]>();
  const start = url.indexOf('?');
  if (start === -1) return parameters;
  for (const part of url.slice(start + 1).split('&')) {
    const equals = part.indexOf('=');
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    if (name === null || name === '') continue;
    const value = equals === -1 ? '' : decode(part.slice(equals + 1));
    const values = parameters.get(name);
    if (values) values.push(value);
    else parameters.set(name, [value]);
  }
  return parameters;
}

/**
 * The query string of a request, and all that is found wrong with it. Readers report each fault and go on with any valid
 * value; `finish` then throws the faults, all at once, before a value is used. Unknown parameters are ignored.
 */
export class QueryString {
  readonly #parameters: Map<string, (string | null)[]>;
  readonly #errors: ParameterError[] = [];

  /** @param url the request's target, path and query, as it arrived */
  constructor(url: string) {
    this.#parameters = parse(url);
  }

  reject(parameter: string, message: string): void {
    this.#errors.push({ parameter, message });
  }

  /** Every value of a parameter, in order. */
  all(name: string): string[] {
    const values: string[] = [];
    for (const value of this.#parameters.get(name) ?? []) {
      if (value === null) this.reject(name, 'Must be UTF-8 in valid percent-encoding.');
      else values.push(value);
    }
    return values;
  }

  /** The value of a parameter that may be there once; undefined when it is absent or was rejected. */
  single(name: string): string | undefined {
    const values = this.#parameters.get(name) ?? [];
    if (values.length > 1) this.reject(name, `Must be given once, and is given ${values.length} times.`);
    else return this.all(name)[0];
    return undefined;
  }

  has(name: string): boolean {
    return this.#parameters.has(name);
  }

  /** Throws the problem `invalid_parameter` if anything was rejected. */
  finish(): void {
    if (this.#errors.length === 0) return;
    const names = [...new Set(this.#errors.map(({ parameter }) => parameter))];
    throw new CommonProblem('invalid_parameter', `Wrong or missing: ${names.join(', ')}.`, { errors: this.#errors });
  }
}
