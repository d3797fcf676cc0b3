import type { ProblemKinds } from './problem.ts';
import { problemExamples, REQUEST_ID_HEADER } from './schema.ts';

/**
 * Validation keywords that JSON Schema lacks. The reference omits these keywords and explains their rules in
 * descriptions.
 */
const INTERNAL_KEYWORDS = new Set(['expected', 'answerableThrough', 'weekday']);

/**
 * Returns the additional keywords that a client generator needs. Without a format, generators for languages with
 * several number sizes use 32 bits, which are too few for an epoch time in milliseconds. Without a type, generators
 * cannot tell that the values of an enum are strings.
 */
function keywordsForGenerators({ type, format, enum: values }: Record<string, unknown>): Record<string, string> {
  const types = [type].flat();
  if (Array.isArray(values) && type === undefined && values.every((value) => typeof value === 'string'))
    return { type: 'string' };
  if (values !== undefined || format !== undefined) return {};
  if (types.includes('integer')) return { format: 'int64' };
  return types.includes('number') ? { format: 'double' } : {};
}

/**
 * Returns a function that replaces each schema that has an `$id`, at any depth, with a reference to the component of
 * that name. The function collects the replaced schemas in `named`. Two schemas with the same name must be equal.
 */
export function createNamer(named: Map<string, object>): (schema: unknown) => unknown {
  function referTo(name: string, schema: object): object {
    const known = named.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas have the name ${name}.`);
    }
    named.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }
  /** Converts the schemas of properties, whose names are never keywords. */
  function withNamesInside(properties: object): object {
    return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, withNames(schema)]));
  }
  function withNames(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(withNames);
    if (typeof schema !== 'object' || schema === null) return schema;
    const { $id: name, properties, ...keywords }: { $id?: unknown; properties?: object } = schema;
    const kept = Object.entries(keywords).filter(([keyword]) => !INTERNAL_KEYWORDS.has(keyword));
    const plain = {
      ...withNamesInside(Object.fromEntries(kept)),
      ...keywordsForGenerators(keywords),
      ...(properties ? { properties: withNamesInside(properties) } : {}),
    };
    return typeof name === 'string' ? referTo(name, plain) : plain;
  }
  return withNames;
}

interface Operation {
  parameters?: { name: string; schema?: { type?: string }; example?: unknown }[];
  responses: Record<string, { headers?: Record<string, object> }>;
}

/** The parts of an OpenAPI 3.1 document that this module reads. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, object>;
}

/** Moves the response headers to the components, because headers with the same name are identical everywhere. */
function nameHeaders(operations: readonly Operation[]): Record<string, object> {
  const named: Record<string, object> = {};
  for (const response of operations.flatMap(({ responses }) => Object.values(responses))) {
    const headers = { ...REQUEST_ID_HEADER, ...response.headers };
    Object.assign(named, headers);
    const references = Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }] as const);
    response.headers = Object.fromEntries(references);
  }
  return named;
}

/** Examples, by parameter name. */
export type ParameterExamples = Readonly<Record<string, string>>;

/**
 * Completes a document in place with the named schemas and headers, an example response for each code in use, and
 * parameter examples.
 */
export function completeDocument(
  document: OpenApiDocument,
  schemas: ReadonlyMap<string, object>,
  problems: ProblemKinds,
  parameterExamples: ParameterExamples,
): void {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    const example = parameterExamples[parameter.name];
    if (example !== undefined) parameter.example = parameter.schema?.type === 'array' ? [example] : example;
  }
  const text = JSON.stringify(document.paths);
  const examples = Object.entries(problemExamples(problems)).filter(([code]) =>
    text.includes(`"#/components/examples/${code}"`),
  );
  document.components = {
    ...document.components,
    schemas: Object.fromEntries(schemas),
    headers: nameHeaders(operations),
    examples: Object.fromEntries(examples),
  };
}
