import { expect, it } from 'vitest';
import { createNamer } from './openapi-document.ts';

it.each([
  [{ type: ['integer', 'null'] }, { format: 'int64' }],
  [{ type: 'number', minimum: 0 }, { format: 'double' }],
  [{ enum: ['a', 'b'] }, { type: 'string' }],
  [{ type: 'integer', enum: [1, 2] }, {}],
  [{ type: 'string', format: 'date' }, {}],
  [{ enum: [1, 'a'] }, {}],
])('the schema %j gets the keywords that generators need: %j', (schema, more) => {
  const named = createNamer(new Map())({ type: 'object', properties: { format: schema } });
  expect(named).toEqual({ type: 'object', properties: { format: { ...schema, ...more } } });
});

it('a named schema is collected once, at any depth, and replaced by a reference', () => {
  const named = new Map<string, object>();
  const driver = { $id: 'Driver', type: 'object', properties: { expected: { type: 'string', expected: 'an id.' } } };
  const namer = createNamer(named);
  const reference = { $ref: '#/components/schemas/Driver' };
  expect(namer({ type: 'array', items: driver })).toEqual({ type: 'array', items: reference });
  expect(namer({ anyOf: [driver, { type: 'null' }] })).toEqual({ anyOf: [reference, { type: 'null' }] });
  // The reference omits the keyword `expected`, but keeps the property with the same name.
  expect([...named]).toEqual([['Driver', { type: 'object', properties: { expected: { type: 'string' } } }]]);
  expect(() => namer({ $id: 'Driver', type: 'number' })).toThrow('Two different schemas have the name Driver.');
});
