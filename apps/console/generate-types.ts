import openapiTypescript, { astToString } from 'openapi-typescript';

const HEAD =
  '// Generated from an OpenAPI document: `npx vitest run test/integration/console/types.test.ts -u` writes it anew.\n\n';

/** TypeScript that describes what an OpenAPI document (as JSON) says of requests and answers. Exported for tests. */
export async function generateTypes(document: string): Promise<string> {
  return HEAD + astToString(await openapiTypescript(document));
}
