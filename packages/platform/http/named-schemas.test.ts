import { expect, it } from 'vitest';
import { createNamer } from './named-schemas.ts';

it.each([
  [{ type: 'integer' }, 'int64'],
  [{ type: ['integer', 'null'] }, 'int64'],
  [{ type: 'number', minimum: 0 }, 'double'],
  [{ type: ['number', 'null'] }, 'double'],
])('a schema of a number without a format states the size of the number for generators: %j', (schema, format) => {
  const named = createNamer(new Map())({ type: 'object', properties: { format: schema } });
  expect(named).toEqual({ type: 'object', properties: { format: { ...schema, format } } });
});

it('a schema with an enum of strings states their type for generators', () => {
  expect(createNamer(new Map())({ enum: ['a', 'b'] })).toEqual({ enum: ['a', 'b'], type: 'string' });
});

it.each([
  { type: 'integer', enum: [1, 2] },
  { type: 'string', format: 'date' },
  { type: 'string' },
  { enum: [1, 'a'] },
])('other schemas stay unchanged: %j', (schema) => {
  expect(createNamer(new Map())(schema)).toEqual(schema);
});

it('a named schema is collected once, at any depth, and replaced by a reference', () => {
  const named = new Map<string, object>();
  const driver = { $id: 'Driver', type: 'object', properties: { expected: { type: 'string', expected: 'an id.' } } };
  const namer = createNamer(named);
  const reference = { $ref: '#/components/schemas/Driver' };
  expect(namer({ type: 'array', items: driver })).toEqual({ type: 'array', items: reference });
  expect(namer({ anyOf: [driver, { type: 'null' }] })).toEqual({ anyOf: [reference, { type: 'null' }] });
  // The reference shows a property with the name of a keyword, but not the keyword.
  expect([...named]).toEqual([['Driver', { type: 'object', properties: { expected: { type: 'string' } } }]]);
});

it('two different schemas cannot have the same name', () => {
  const namer = createNamer(new Map());
  namer({ $id: 'Driver', type: 'string' });
  expect(() => namer({ $id: 'Driver', type: 'number' })).toThrow('Two different schemas have the name Driver.');
});
