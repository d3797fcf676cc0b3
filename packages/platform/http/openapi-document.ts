import type { ProblemKinds } from './problem.ts';
import { problemExamples, REQUEST_ID_HEADER } from './schema.ts';

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
    response.headers = headers;
    Object.assign(named, headers);
    for (const name of Object.keys(headers)) {
      Object.assign(headers, { [name]: { $ref: `#/components/headers/${name}` } });
    }
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
