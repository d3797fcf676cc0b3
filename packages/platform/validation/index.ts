import { Ajv, type ErrorObject, type SchemaValidateFunction } from 'ajv';
import Type, { type TObject } from 'typebox';

/** Stands for malformed text. The character is a lone surrogate, which decoded UTF-8 never contains. */
const MALFORMED = '\ud800';

function decode(text: string): string {
  // Most strings are not percent-encoded, and a request for summaries may contain twenty of them, so this shortcut
  // saves time.
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return MALFORMED;
  }
}

/**
 * Decodes a form-encoded query string into an object with a string for each name, or a list for a repeated name. Text
 * that is not validly percent-encoded UTF-8 becomes a string with a lone surrogate, which counts as malformed.
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
 * Creates a function that converts the strings of a query, in place, to the integers, booleans and lists of the schema.
 * The function also removes duplicate values from lists. A string that cannot be converted remains a string, which the
 * check then rejects.
 */
function compileReader({ properties }: TObject): (query: Record<string, unknown>) => void {
  const names = Object.keys(properties);
  const integers = names.filter((name) => Type.IsInteger(properties[name]));
  const booleans = names.filter((name) => Type.IsBoolean(properties[name]));
  const lists = names.filter((name) => Type.IsArray(properties[name]));
  return (query) => {
    for (const name of integers) {
      const text = query[name];
      // By itself, Number() would also accept " 5", "5.0", "0x5" and "5e0".
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

/** The formats and keywords that schemas use in addition to those of JSON Schema, by name. */
export interface Vocabulary {
  formats?: Readonly<Record<string, RegExp | ((text: string) => boolean)>>;
  /**
   * Returns why a string is invalid, or null if the string is valid. `wanted` is the value of the keyword in the
   * schema.
   */
  keywords?: Readonly<Record<string, (text: string, wanted: string) => string | null>>;
}

/** An error in a parameter. `message` is a sentence that states the valid values. */
export interface ParameterError {
  parameter: string;
  message: string;
}

/** Returns all errors in an input, in the order of its schema's properties. */
export type Check = (input: unknown) => ParameterError[];

/** The maximum number of unknown parameters to report, because an input may contain any number of them. */
const MAX_REPORTED_UNKNOWN = 10;

function createAjv({ formats = {}, keywords = {} }: Vocabulary): Ajv {
  // With `verbose`, an error contains the invalid value and its schema.
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

/** Returns the valid values in words: the text of the keyword `expected` or, if there is none, the description. */
function expectedBy(schema: object = {}): unknown {
  if ('expected' in schema) return schema.expected;
  return 'description' in schema ? schema.description : undefined;
}

function unknownAmong([only, ...others]: readonly string[]): string {
  if (only === undefined) return 'Unknown parameter: there are no parameters.';
  if (others.length === 0) return `Unknown parameter: the only parameter is ${only}.`;
  return `Unknown parameter: the parameters are ${[only, ...others].join(', ')}.`;
}

/** Returns the error in a malformed or repeated query parameter, regardless of its schema. */
function queryFault({ keyword, data }: ErrorObject): string | null {
  if (typeof data === 'string' && !data.isWellFormed()) return 'Must be UTF-8 in valid percent-encoding.';
  if (keyword === 'type' && Array.isArray(data)) return `Must be given once, but was given ${data.length} times.`;
  return null;
}

function messageOf({ keyword, params, schema, parentSchema, data }: ErrorObject, all: TObject, name: string): string {
  if (params['fault'] !== undefined) return params['fault'];
  if (keyword === 'type' && parentSchema === all) return 'Must be a JSON object.';
  if (keyword === 'additionalProperties') return unknownAmong(Object.keys(all.properties));
  if (keyword === 'maxItems' && Array.isArray(data)) {
    return `Must name at most ${schema} ${parentSchema?.['title'] ?? 'values'}, but names ${data.length}.`;
  }
  const property = expectedBy(all.properties[name]) ?? 'a value that the API reference allows.';
  return keyword === 'required' ? `Required: ${property}` : `Must be ${expectedBy(parentSchema) ?? property}`;
}

/** Creates a schema compiler. A compiled check takes a query, as `parseQuery` returns it, or JSON. */
export function createCompiler(vocabulary: Vocabulary = {}): (schema: TObject, source: 'query' | 'json') => Check {
  const ajv = createAjv(vocabulary);
  return (schema, source) => {
    const validate = ajv.compile(schema);
    const read = source === 'query' ? compileReader(schema) : null;
    const names = Object.keys(schema.properties);
    return (input) => {
      read?.(Object(input));
      if (validate(input)) return [];
      // One value may violate several keywords, and several values in a list may have the same error.
      const found = new Map<string, Set<string>>(names.map((name) => [name, new Set()]));
      for (const error of validate.errors ?? []) {
        const { instancePath, params } = error;
        const [, path] = instancePath.split('/');
        const parameter = path ?? params['missingProperty'] ?? params['additionalProperty'] ?? 'body';
        const message = (read && queryFault(error)) ?? messageOf(error, schema, parameter);
        found.set(parameter, (found.get(parameter) ?? new Set()).add(message));
      }
      return [...found]
        .slice(0, names.length + MAX_REPORTED_UNKNOWN)
        .flatMap(([parameter, messages]) => [...messages].map((message) => ({ parameter, message })));
    };
  };
}
