import { createConfig, lintFromString } from '@redocly/openapi-core';

/** What Redocly's recommended rules find in an OpenAPI document. */
export async function findingsIn(document: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const findings = await lintFromString({ source: document, config });
  return findings.map(({ ruleId, message, location: [place] }) => `${ruleId} at ${place?.pointer}: ${message}`);
}

interface Operation {
  parameters?: { in: string; name: string; example?: string | string[] }[];
}

/** The reports that a document's examples ask for, as addresses without the origin. */
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
