/** What fields of a name are, and an example of each type that they have. */
export type Glossary = Readonly<Record<string, readonly [description: string, ...examples: (string | number)[]]>>;

interface Property {
  $id?: string;
  type?: string;
  format?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Property[];
  description?: string;
  examples?: unknown[];
}

const EXAMPLES_OF_FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2025-01-31T08:00:00.000Z',
  date: '2025-01-31',
};

function exampleOf({ type, format = '', enum: values }: Property, known: readonly (string | number)[]): unknown {
  if (values) return values[0];
  if (type === 'boolean') return true;
  const wanted = type === 'string' ? 'string' : 'number';
  return EXAMPLES_OF_FORMATS[format] ?? known.find((example) => typeof example === wanted);
}

/** A property with what its schema lacks. What is or may be null has its words outside, where readers look for them. */
function explained(name: string, schema: Property, glossary: Glossary): Property {
  if (schema.$id !== undefined) return schema;
  const value = schema.anyOf?.[0] ?? schema;
  const [known, ...examples] = glossary[name] ?? [];
  const description = schema.description ?? value.description ?? known;
  const isSimple = value.type !== 'array' && value.type !== 'object' && schema.const === undefined;
  const example = isSimple && !schema.examples ? exampleOf(value, examples) : undefined;
  return {
    ...schema,
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { examples: [example] }),
  };
}

/** A schema in which each property, at any depth, has a description and an example, where it or the glossary knows one. */
export function explain(schema: unknown, glossary: Glossary): unknown {
  if (Array.isArray(schema)) return schema.map((each) => explain(each, glossary));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { properties, ...keywords } = Object(schema);
  const inside = Object.entries(keywords).map(([keyword, value]) => [keyword, explain(value, glossary)]);
  if (properties === undefined) return Object.fromEntries(inside);
  const own = Object.entries(properties).map(([name, property]) => [
    name,
    explained(name, Object(explain(property, glossary)), glossary),
  ]);
  return { ...Object.fromEntries(inside), properties: Object.fromEntries(own) };
}
