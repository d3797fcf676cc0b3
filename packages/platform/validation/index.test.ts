import Type, { type TProperties } from 'typebox';
import { expect, it } from 'vitest';
import { createCompiler, parseQuery } from './index.ts';

const compile = createCompiler({
  keywords: { prefix: (text, wanted) => (text.startsWith(wanted) ? null : `Must begin with ${wanted}.`) },
});

const schema = Type.Object({
  count: Type.Optional(Type.Integer({ minimum: 1, description: 'a whole number of at least 1.' })),
  all: Type.Optional(Type.Boolean({ description: 'true or false.' })),
  id: Type.Array(Type.String({ pattern: '^[a-c]$', expected: 'a, b or c.' }), {
    title: 'letters',
    maxItems: 2,
    description: 'Letters.',
    expected: 'one or two letters.',
  }),
  word: Type.Optional(Type.String({ prefix: 'x' })),
});

function errorsOf(query: string, properties: TProperties = schema.properties): string[] {
  const check = compile(Type.Object(properties, { additionalProperties: false }), 'query');
  return check(parseQuery(query)).map(({ parameter, message }) => `${parameter}: ${message}`);
}

it('parseQuery converts the strings of a query to the types of the schema', () => {
  const query = parseQuery('id=a&count=007&id=b&all=false&id=a&word=x+%C3%BC%2B=');
  expect(compile(schema, 'query')(query)).toEqual([]);
  expect(query).toEqual({ id: ['a', 'b'], count: 7, all: false, word: 'x ü+=' });
  const single = parseQuery('id=a&all=true&count=1');
  expect(compile(schema, 'query')(single)).toEqual([]);
  expect(single).toEqual({ id: ['a'], count: 1, all: true });
});

it.each([
  ['driver_id=depot+7', { driver_id: 'depot 7' }],
  ['driver_id=depot%207', { driver_id: 'depot 7' }],
  ['driver_id=depot%2B7', { driver_id: 'depot+7' }],
  ['driver+id=7', { 'driver id': '7' }],
])('parseQuery decodes %s, which is how forms encode a space and a plus sign', (query, values) => {
  expect(parseQuery(query)).toEqual(values);
});

it('parseQuery reports all errors together, each once, in the order of the schema', () => {
  expect(errorsOf('word=y&id=d&id=e&id=a&all=yes&count=0')).toEqual([
    'count: Must be a whole number of at least 1.',
    'all: Must be true or false.',
    'id: Must name at most 2 letters, but names 3.',
    'id: Must be a, b or c.',
    'word: Must begin with x.',
  ]);
});

it.each(['%205', '5.0', '0x5', '5e0', '', '+5', 'Infinity'])('parseQuery refuses %j as an integer', (text) => {
  expect(errorsOf(`id=a&count=${text}`)).toEqual(['count: Must be a whole number of at least 1.']);
});

it('parseQuery reports parameters that are missing, repeated, unknown, or not in valid percent-encoding', () => {
  expect(errorsOf('')).toEqual(['id: Required: one or two letters.']);
  expect(errorsOf('id=a&count=1&count=1&word=%ff&all=%zz')).toEqual([
    'count: Must be given once, but was given 2 times.',
    'all: Must be UTF-8 in valid percent-encoding.',
    'word: Must be UTF-8 in valid percent-encoding.',
  ]);
  expect(errorsOf('__proto__=1', {})).toEqual(['__proto__: Unknown parameter: there are no parameters.']);
  const { count, word } = schema.properties;
  expect(errorsOf('other=1', { count })).toEqual(['other: Unknown parameter: the only parameter is count.']);
  expect(errorsOf('other', { count, word })).toEqual(['other: Unknown parameter: the parameters are count, word.']);
  expect(errorsOf('&=1&%zz=1', {})).toEqual([]);
  const many = Array.from({ length: 50 }, (_, index) => `x${index}=`).join('&');
  expect(errorsOf(`count=0&${many}`, { count: schema.properties.count })).toHaveLength(11);
});

it('a compiled check validates JSON without conversion', () => {
  const check = compile(schema, 'json');
  expect(check(null)).toEqual([{ parameter: 'body', message: 'Must be a JSON object.' }]);
  expect(check({ id: ['a'], count: '1', word: ['x'] })).toEqual([
    { parameter: 'count', message: 'Must be a whole number of at least 1.' },
    { parameter: 'word', message: 'Must be a value that the API reference allows.' },
  ]);
});
