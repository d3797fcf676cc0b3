import { invalidParameters } from '@milepost/http/check';
import { checkOf } from '@milepost/operations/check';
import { type Operation, placesOf } from '@milepost/operations/operation';
import type { FastifySchemaCompiler } from 'fastify';
import Type, { type TObject, type TSchema } from 'typebox';

function pick({ properties }: TObject, isWanted: (name: string) => boolean): TObject {
  const entries = Object.entries(properties).filter(([name]) => isWanted(name));
  return Type.Object(Object.fromEntries(entries), { additionalProperties: false });
}

/**
 * Splits the schema of an operation's input into the parts of a request: path, query and body. The `body` part is
 * absent if the request has no body.
 */
export function partsOf(operation: Operation): { params: TObject; querystring: TObject; body?: TObject } {
  const { inPath, inQuery, inBody } = placesOf(operation);
  const part = (names: readonly string[]) => pick(operation.input, (name) => names.includes(name));
  return { params: part(inPath), querystring: part(inQuery), ...(inBody.length > 0 ? { body: part(inBody) } : {}) };
}

/** Parses an integer in a path. Any other string becomes -1, which is never an id, so the response is 404. */
function readInteger(text: unknown, { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: TSchema & Limits): number {
  const value = /^(?:0|[1-9][0-9]{0,15})$/.test(String(text)) ? Number(text) : -1;
  return value >= minimum && value <= maximum ? value : -1;
}

interface Limits {
  minimum?: number;
  maximum?: number;
}

function compileParams(schema: TObject): (params: unknown) => { value: object; errors: ReturnType<typeof check> } {
  const integers = Object.entries(schema.properties).filter(([, property]) => Type.IsInteger(property));
  const isInteger = (name: string) => integers.some(([integer]) => integer === name);
  const check = checkOf(pick(schema, (name) => !isInteger(name)));
  return (params) => {
    const texts: Readonly<Record<string, unknown>> = Object(params);
    const errors = check(Object.fromEntries(Object.entries(texts).filter(([name]) => !isInteger(name))));
    const read = integers.map(([name, property]) => [name, readInteger(texts[name], property)]);
    return { value: { ...texts, ...Object.fromEntries(read) }, errors };
  };
}

/**
 * Compiles the schema for a part of a request into a validator, which converts strings according to the schema and
 * reports all faults in the part.
 */
export const compileInput: FastifySchemaCompiler<TObject> = ({ schema, httpPart }) => {
  const readParams = httpPart === 'params' ? compileParams(schema) : null;
  const check = checkOf(schema, httpPart === 'querystring' ? 'query' : 'json');
  // A body may be absent if none of its properties are required.
  const required: readonly string[] = schema.required ?? [];
  const isOptional = httpPart === 'body' && required.length === 0;
  return (input: unknown) => {
    const given: unknown = isOptional ? (input ?? {}) : input;
    const { value, errors } = readParams?.(given) ?? { value: given, errors: check(given) };
    return errors.length === 0 ? { value } : { error: invalidParameters(errors) };
  };
};
