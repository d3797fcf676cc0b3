import { Ajv, type ErrorObject, type SchemaValidateFunction } from 'ajv';
import type { FastifyInstance } from 'fastify';
import Type, { type TObject } from 'typebox';
import { CommonProblem } from './common-problems.ts';
import type { ParameterError } from './problem.ts';

/** Stands for what spells no text: a lone surrogate, which no text read from UTF-8 holds. */
const MALFORMED = '\ud800';

function decode(text: string): string {
  // Most texts are spelled plainly, and a summary's request has twenty of them.
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return MALFORMED;
  }
}

/**
 * Decodes a query string as forms encode it: a text by name, or a list where a name is given several times. What is not
 * UTF-8 in valid percent-encoding becomes a text that is not well-formed.
 */
export function parseQuery(encoded: string): Record<string, unknown> {
  const query = new Map<string, string | string[]>();
  for (const part of encoded.split('&')) {
    const equals = part.indexOf('=');
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    if (name === '' || name === MALFORMED) continue;
    const text = equals === -1 ? '' : decode(part.slice(equals + 1));
    const before = query.get(name);
    if (before === undefined) query.set(name, text);
    else if (typeof before === 'string') query.set(name, [before, text]);
    else before.push(text);
  }
  return Object.fromEntries(query);
}

/**
 * Makes a function that turns the texts of a query into what the schema says they are, in place: integers, booleans, and
 * lists, in which a value given again counts once. A text that is none of its kind stays as it is, for the check to refuse.
 */
function compileReader({ properties }: TObject): (query: Record<string, unknown>) => void {
  const names = Object.keys(properties);
  const integers = names.filter((name) => Type.IsInteger(properties[name]));
  const booleans = names.filter((name) => Type.IsBoolean(properties[name]));
  const lists = names.filter((name) => Type.IsArray(properties[name]));
  return (query) => {
    for (const name of integers) {
      const text = query[name];
      // Number() alone would take " 5", "5.0", "0x5" and "5e0" as well.
      if (typeof text === 'string' && /^[0-9]+$/.test(text)) query[name] = Number(text);
    }
    for (const name of booleans) {
      const text = query[name];
      if (text === 'true' || text === 'false') query[name] = text === 'true';
    }
    for (const name of lists) {
      const texts = query[name];
      if (texts !== undefined) query[name] = Array.isArray(texts) ? [...new Set(texts)] : [texts];
    }
  };
}

/** What schemas say beyond JSON Schema, by name. */
export interface Vocabulary {
  formats?: Readonly<Record<string, RegExp | ((text: string) => boolean)>>;
  /** What is wrong with a text where the schema gives the keyword the value `wanted`; null when nothing is. */
  keywords?: Readonly<Record<string, (text: string, wanted: string) => string | null>>;
}

/** All that is wrong with an input, in the order of its schema's properties. */
export type Check = (input: unknown) => ParameterError[];

/** An input may name as many unknown parameters as it likes; no more than these are told. */
const MOST_UNKNOWN = 10;

function createAjv({ formats = {}, keywords = {} }: Vocabulary): Ajv {
  // With `verbose` an error knows the value that is wrong, and its schema.
  const ajv = new Ajv({ allErrors: true, verbose: true });
  ajv.addKeyword('expected');
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format);
  for (const [keyword, fault] of Object.entries(keywords)) {
    const validate: SchemaValidateFunction = (wanted: string, text: string) => {
      const message = fault(text, wanted);
      if (message !== null) validate.errors = [{ keyword, message, params: { fault: message } }];
      return message === null;
    };
    ajv.addKeyword({ keyword, type: 'string', errors: true, validate });
  }
  return ajv;
}

/** What would be right: the keyword `expected`, or else the description. */
function expectedBy(schema: object = {}): unknown {
  if ('expected' in schema) return schema.expected;
  return 'description' in schema ? schema.description : undefined;
}

function unknownAmong([only, ...others]: readonly string[]): string {
  if (only === undefined) return 'Not known here: there are no parameters.';
  if (others.length === 0) return `Not known here: the only parameter is ${only}.`;
  return `Not known here: the parameters are ${[only, ...others].join(', ')}.`;
}

/** What a text of a query string has wrong before anybody asks what it says. */
function queryFault({ keyword, data }: ErrorObject): string | null {
  if (typeof data === 'string' && !data.isWellFormed()) return 'Must be UTF-8 in valid percent-encoding.';
  if (keyword === 'type' && Array.isArray(data)) return `Must be given once, and is given ${data.length} times.`;
  return null;
}

function messageOf({ keyword, params, schema, parentSchema, data }: ErrorObject, all: TObject, name: string): string {
  if (params['fault'] !== undefined) return params['fault'];
  if (keyword === 'type' && parentSchema === all) return 'Must be a JSON object.';
  if (keyword === 'additionalProperties') return unknownAmong(Object.keys(all.properties));
  if (keyword === 'maxItems' && Array.isArray(data)) {
    return `Must name at most ${schema} ${parentSchema?.['title'] ?? 'values'}, and names ${data.length}.`;
  }
  const property = expectedBy(all.properties[name]) ?? 'as the reference says.';
  return keyword === 'required' ? `Required: ${property}` : `Must be ${expectedBy(parentSchema) ?? property}`;
}

/** Makes the function that compiles a server's schemas: of queries, as `parseQuery` gives them, or of JSON. */
export function createCompiler(vocabulary: Vocabulary = {}): (schema: TObject, source: 'query' | 'json') => Check {
  const ajv = createAjv(vocabulary);
  return (schema, source) => {
    const validate = ajv.compile(schema);
    const read = source === 'query' ? compileReader(schema) : null;
    const names = Object.keys(schema.properties);
    return (input) => {
      read?.(Object(input));
      if (validate(input)) return [];
      // One fault may break several keywords, and several values of a list may have the same one.
      const found = new Map<string, Set<string>>(names.map((name) => [name, new Set()]));
      for (const error of validate.errors ?? []) {
        const { instancePath, params } = error;
        const [, path] = instancePath.split('/');
        const parameter = path ?? params['missingProperty'] ?? params['additionalProperty'] ?? 'body';
        const message = (read && queryFault(error)) ?? messageOf(error, schema, parameter);
        found.set(parameter, (found.get(parameter) ?? new Set()).add(message));
      }
      return [...found]
        .slice(0, names.length + MOST_UNKNOWN)
        .flatMap(([parameter, messages]) => [...messages].map((message) => ({ parameter, message })));
    };
  };
}

/** The problem of a request with these errors. */
export function invalidParameters(errors: readonly ParameterError[]): CommonProblem {
  const names = [...new Set(errors.map(({ parameter }) => parameter))];
  return new CommonProblem('invalid_parameter', `Wrong or missing: ${names.join(', ')}.`, { errors });
}

/** Checks all requests against the schemas of their routes, each part as a whole. */
export function checkRequests(app: FastifyInstance, vocabulary?: Vocabulary): void {
  const compile = createCompiler(vocabulary);
  app.setValidatorCompiler<TObject>(({ schema, httpPart }) => {
    const check = compile(schema, httpPart === 'querystring' ? 'query' : 'json');
    return (input) => {
      const errors = check(input);
      return errors.length === 0 || { error: invalidParameters(errors) };
    };
  });
}
