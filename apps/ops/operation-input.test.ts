import { Id } from '@milepost/operations/schemas';
import Type, { type TObject } from 'typebox';
import { describe, expect, it } from 'vitest';
import { compileInput, partsOf } from './operation-input.ts';

const parametersOf = (problem: { errors: { parameter: string }[] }) => problem.errors.map(({ parameter }) => parameter);
const INPUT = Type.Object({
  id: Id('an id'),
  note: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer()),
});

describe('partsOf', () => {
  const namesOf = (schema: TObject | undefined) => schema && Object.keys(schema.properties);
  const partsFor = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, input: TObject = INPUT) => {
    const common = {
      name: 'x',
      summary: 'X',
      description: 'X.',
      answer: Type.Null(),
      run: async () => ({ answer: null }),
    };
    const { params, querystring, body } = partsOf({ ...common, method, path, input });
    return [params, querystring, body].map(namesOf);
  };

  it('reads the other inputs from the query of a GET, and from the body of a change', () => {
    expect(partsFor('GET', '/replays/:id')).toEqual([['id'], ['note', 'limit'], undefined]);
    expect(partsFor('PUT', '/replays/:id')).toEqual([['id'], [], ['note', 'limit']]);
    for (const method of ['POST', 'PUT', 'DELETE'] as const)
      expect(partsFor(method, '/replays')).toEqual([[], [], ['id', 'note', 'limit']]);
  });

  it('has no body if all inputs are in the path', () => {
    expect(partsFor('PUT', '/replays/:id', Type.Object({ id: Id('an id') }))).toEqual([['id'], [], undefined]);
  });
});

describe('compileInput', () => {
  const read = (httpPart: 'params' | 'querystring' | 'body', schema: TObject, input: unknown): unknown => {
    const result: unknown = compileInput({ schema, httpPart, method: 'POST', url: '/' })(input);
    const { value, error } = Object(result);
    return error === undefined ? value : parametersOf(error);
  };

  it('reads an id in a path, and any other text as an id that no row has', () => {
    const idOf = (text: string) => read('params', Type.Object({ id: Id('an id') }), { id: text });
    for (const id of [7, Number.MAX_SAFE_INTEGER]) expect(idOf(String(id))).toEqual({ id });
    const others = ['0', '-1', '007', '7.0', '1e3', ' 7', '9007199254740992', '99999999999999999', 'x', ''];
    for (const text of others) expect(idOf(text), text).toEqual({ id: -1 });
  });

  it('reads 0 in a path if the input allows it, and checks the other parts of the path', () => {
    const schema = Type.Object({ lane: Type.Integer({ minimum: 0 }), fleet_id: Type.String({ pattern: '^[a-z]+$' }) });
    expect(read('params', schema, { lane: '0', fleet_id: 'acme' })).toEqual({ lane: 0, fleet_id: 'acme' });
    expect(read('params', schema, { lane: '0', fleet_id: 'A' })).toEqual(['fleet_id']);
  });

  it('accepts an absent body only if no input is required', () => {
    const optional = Type.Object({ note: Type.Optional(Type.String()) });
    expect(read('body', optional, undefined)).toEqual({});
    expect(read('body', optional, null)).toEqual({});
    expect(read('body', Type.Object({ note: Type.String() }), undefined)).toEqual(['body']);
    expect(read('body', optional, { note: 1 })).toEqual(['note']);
    expect(read('body', optional, [])).toEqual(['body']);
  });

  it('converts the strings of a query, but not those of a body', () => {
    const schema = Type.Object({ limit: Type.Integer() });
    expect(read('querystring', schema, { limit: '5' })).toEqual({ limit: 5 });
    expect(read('body', schema, { limit: '5' })).toEqual(['limit']);
  });
});
