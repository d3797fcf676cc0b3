import type { ProblemKinds } from './problem.ts';
import { problemExamples } from './schema.ts';

interface Operation {
  parameters?: { name: string; schema?: { type?: string }; example?: unknown }[];
  responses: Record<string, { headers?: Record<string, object> }>;
}

/** What is looked at in an OpenAPI document of 3.1. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, object>;
}

/** Moves the headers of answers to the components: those of one name are the same everywhere. */
function nameHeaders(operations: readonly Operation[]): Record<string, object> {
  const named: Record<string, object> = {};
  for (const { headers } of operations.flatMap(({ responses }) => Object.values(responses))) {
    Object.assign(named, headers);
    for (const name of Object.keys(headers ?? {})) {
      Object.assign(headers ?? {}, { [name]: { $ref: `#/components/headers/${name}` } });
    }
  }
  return named;
}

/** The example of each parameter of a name, where one is given. */
export type ParameterExamples = Readonly<Record<string, string>>;

/** Completes a document in place: named schemas and headers, an answer for each code that is referred to, and examples. */
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
