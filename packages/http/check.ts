import { Ajv, type ErrorObject, type SchemaValidateFunction } from 'ajv';
import type { FastifyInstance } from 'fastify';
import type { TObject } from 'typebox';
import { CommonProblem } from './common-problems.ts';
import type { ParameterError } from './problem.ts';
import { compileReader } from './query.ts';

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
