import Type from 'typebox';
import { expect, it } from 'vitest';
import { explain, type Glossary } from './glossary.ts';

const GLOSSARY: Glossary = {
  id: ['Its number, or its name.', 12, 'key_1'],
  position: ['Of the log.', 4711],
};

const propertiesOf = (properties: Parameters<typeof Type.Object>[0]) => ({
  ...Object(explain(Type.Object(properties), GLOSSARY)).properties,
});

it.each([
  ['nothing', Type.Integer(), { description: 'Its number, or its name.', examples: [12] }],
  ['another type', Type.String(), { description: 'Its number, or its name.', examples: ['key_1'] }],
  ['words of its own', Type.Integer({ description: 'Own.' }), { description: 'Own.', examples: [12] }],
  ['an example of its own', Type.Integer({ examples: [3] }), { examples: [3] }],
  [
    'words inside of a union',
    Type.Union([Type.Integer({ description: 'Own.' }), Type.Null()]),
    { description: 'Own.' },
  ],
  ['values to choose from', Type.Enum(['a', 'b']), { examples: ['a'] }],
  ['a time', Type.String({ format: 'date-time' }), { examples: ['2025-01-31T08:00:00.000Z'] }],
])('explains a property that says %s', (_, schema, expected) => {
  expect(propertiesOf({ id: schema })).toMatchObject({ id: expected });
});

it('explains at any depth, and leaves alone what has a name of its own, and what the glossary does not know', () => {
  const named = Type.Object({ position: Type.Integer() }, { $id: 'Named' });
  const { position, id, other } = propertiesOf({
    position: named,
    id: Type.Array(Type.Object({ position: Type.Integer() })),
    other: Type.Integer(),
  });
  expect(position).toMatchObject({ $id: 'Named', properties: { position: { description: 'Of the log.' } } });
  expect(position).not.toHaveProperty('description');
  expect(id).toMatchObject({ items: { properties: { position: { description: 'Of the log.', examples: [4711] } } } });
  expect(id).not.toHaveProperty('examples');
  expect(other).not.toHaveProperty('description');
});
