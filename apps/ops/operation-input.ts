import { invalidParameters } from '@milepost/http';
import { checkOf } from '@milepost/operations/check';
import { asRequest } from '@milepost/operations/mention';
import { namesInPath, type Operation } from '@milepost/operations/operation';
import type { FastifyRequest } from 'fastify';
import Type, { type TObject } from 'typebox';

function pick({ properties }: TObject, isWanted: (name: string) => boolean): TObject {
  const entries = Object.entries(properties).filter(([name]) => isWanted(name));
  return Type.Object(Object.fromEntries(entries), { additionalProperties: false });
}

/** The parts of an operation's input, by where a request has them: in its path, and in query string or body. */
export function partsOf({ input, path }: Operation): { params: TObject; others: TObject } {
  const names = namesInPath(path);
  return {
    params: pick(input, (name) => names.includes(name)),
    others: pick(input, (name) => !names.includes(name)),
  };
}

/** Makes the reader of numbers in paths. One that cannot be is as unknown as an id that nobody has: -1. */
function numberReader(params: TObject, name: string): (text: string) => number {
  const check = checkOf(pick(params, (each) => each === name));
  return (text) => {
    const value = /^(?:0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : -1;
    return check({ [name]: value }).length === 0 ? value : -1;
  };
}

/**
 * Makes the function that reads an operation's input from all parts of a request. It throws the problem
 * `invalid_parameter`, with all that is wrong.
 */
export function createInputReader(operation: Operation): (request: FastifyRequest) => Record<string, unknown> {
  const { params, others } = partsOf(operation);
  const numbers = Object.keys(params.properties).filter((name) => Type.IsInteger(params.properties[name]));
  const readers = new Map(numbers.map((name) => [name, numberReader(params, name)]));
  const checkWords = checkOf(pick(params, (name) => !readers.has(name)));
  const isGet = operation.method === 'GET';
  const checkQuery = checkOf(isGet ? others : pick(others, () => false), 'query');
  const checkBody = checkOf(others);
  const takesBody = !isGet && Object.keys(others.properties).length > 0;
  const needsBody = (others.required?.length ?? 0) > 0;
  return (request) => {
    const texts = Object.entries<string>(Object(request.params));
    const words = Object.fromEntries(texts.filter(([name]) => !readers.has(name)));
    const body = request.body === undefined && !needsBody ? {} : request.body;
    const wrong = [...checkWords(words), ...checkQuery(request.query), ...(takesBody ? checkBody(body) : [])];
    const path = Object.fromEntries(texts.map(([name, text]) => [name, readers.get(name)?.(text) ?? text]));
    const input = { ...Object(isGet ? request.query : takesBody ? body : {}), ...path };
    const errors = wrong.length > 0 ? wrong : (operation.inputErrors?.(input, asRequest) ?? []);
    if (errors.length > 0) throw invalidParameters(errors);
    return input;
  };
}
