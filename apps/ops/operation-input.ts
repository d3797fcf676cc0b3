import { namesInPath, type Operation } from '@milepost/operations/operation';
import { QueryString } from '@milepost/http';
import type { FastifyRequest } from 'fastify';
import Type, { type TObject, type TSchema } from 'typebox';
import { Problem } from './problems/problem.ts';
import { bodyErrors } from './request/validate.ts';

/** The properties of an object's schema that pass the test. */
export function pick(schema: TObject, isWanted: (name: string) => boolean): TObject {
  const entries = Object.entries(schema.properties).filter(([name]) => isWanted(name));
  return Type.Object(Object.fromEntries(entries), { additionalProperties: false });
}

/** The value that a text from an address stands for; the text itself where it stands for none, which its schema refuses. */
function fromText(schema: TSchema | undefined, text: string): unknown {
  // Number() alone would take " 5", "5.0", "0x5" and "5e0" as well.
  if (Type.IsInteger(schema)) return /^[0-9]+$/.test(text) ? Number(text) : text;
  if (Type.IsBoolean(schema) && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** An id in a path that cannot be one is as unknown as an id that nobody has: 0. */
function idOf(text: string): number {
  const value = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : 0;
  return Number.isSafeInteger(value) ? value : 0;
}

/** The parts of an operation's input, by where a request has them. */
export function partsOf({ input, path, method }: Operation) {
  const names = namesInPath(path);
  const isElsewhere = (name: string) => !names.includes(name);
  return {
    params: pick(input, (name) => names.includes(name)),
    rest: pick(input, isElsewhere),
    inQuery: method === 'GET',
  };
}

function refuse(errors: readonly { parameter: string; message: string }[]): void {
  if (errors.length === 0) return;
  const names = [...new Set(errors.map(({ parameter }) => parameter))];
  throw new Problem('invalid_parameter', `Wrong or missing: ${names.join(', ')}.`, { errors });
}

/** The input of an operation, checked, from all parts of a request. Throws the problem `invalid_parameter`. */
export async function readInput(operation: Operation, request: FastifyRequest): Promise<Record<string, unknown>> {
  const { params, rest, inQuery } = partsOf(operation);
  const inPath: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(Object(request.params))) {
    inPath[name] = Type.IsInteger(params.properties[name]) ? idOf(String(text)) : text;
  }
  const texts = pick(params, (name) => !Type.IsInteger(params.properties[name]));
  refuse(
    await bodyErrors(texts, Object.fromEntries(Object.keys(texts.properties).map((name) => [name, inPath[name]]))),
  );
  if (Object.keys(rest.properties).length === 0) return inPath;
  const given = inQuery ? readQuery(rest, request.url) : (request.body ?? (rest.required?.length ? undefined : {}));
  refuse(await bodyErrors(rest, given));
  return { ...Object(given), ...inPath };
}

function readQuery(schema: TObject, url: string): Record<string, unknown> {
  const query = new QueryString(url);
  const given: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const text = query.single(name);
    if (text !== undefined) given[name] = fromText(property, text);
  }
  query.finish();
  return given;
}
