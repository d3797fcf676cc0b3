/** The parts of a schema that the checks read. */
export interface DocumentedSchema {
  $ref?: string;
  type?: unknown;
  description?: string;
  examples?: unknown[];
  anyOf?: DocumentedSchema[];
  properties?: Record<string, DocumentedSchema>;
  items?: DocumentedSchema;
}

/**
 * Lists the properties in a document's named schemas that have no description, and the simple properties that have no
 * example.
 */
export function silentProperties(schemas: Record<string, DocumentedSchema>): string[] {
  const silent: string[] = [];
  const look = (path: string, { properties = {}, items, anyOf = [] }: DocumentedSchema) => {
    for (const inner of [...(items ? [items] : []), ...anyOf]) look(path, inner);
    for (const [name, property] of Object.entries(properties)) {
      const { description = '', examples, $ref } = property;
      const type = property.anyOf?.[0]?.type ?? property.type;
      const refers = $ref !== undefined || property.anyOf?.[0]?.$ref !== undefined;
      const needsExample = type !== 'array' && type !== 'object' && !('const' in property);
      if (!refers && (description === '' || (needsExample && examples === undefined))) silent.push(`${path}.${name}`);
      look(`${path}.${name}`, property);
    }
  };
  for (const [name, schema] of Object.entries(schemas)) look(name, schema);
  return silent;
}

interface Operation {
  parameters?: { in: string; name: string; example?: string | string[] }[];
}

/** Lists a path with a query for each report in a document, filled in with the document's examples. */
export function exampleRequests({ paths }: { paths: Record<string, { get: Operation }> }): string[] {
  const reports = Object.entries(paths).filter(([path]) => path.startsWith('/api/'));
  return reports.map(([path, { get }]) => {
    const query = new URLSearchParams();
    let address = path;
    for (const { in: place, name, example } of get.parameters ?? []) {
      for (const each of [example ?? []].flat()) {
        if (place === 'query') query.append(name, each);
        else address = address.replace(`{${name}}`, encodeURIComponent(each));
      }
    }
    return `${address}?${query}`;
  });
}
