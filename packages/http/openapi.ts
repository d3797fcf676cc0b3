import swagger from '@fastify/swagger';
import swaggerUi, { type FastifySwaggerUiOptions } from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { COMMON_PROBLEMS } from './common-problems.ts';
import { problemResponses } from './schema.ts';

/** The page needs nothing from elsewhere. No upgrade-insecure-requests: without TLS the page would load none of its scripts. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; frame-ancestors 'none'";

/** What the document says beside its paths. */
export interface Description {
  title: string;
  text: string;
  tags: { name: string; description: string }[];
  /** How callers say who they are. */
  scheme:
    | { type: 'apiKey'; in: 'header'; name: string; description: string }
    | { type: 'http'; scheme: 'bearer'; description: string };
}

const SCHEME = 'Key';

/** What every path may answer before anybody has looked at what is asked. */
const PROTOCOL_PROBLEMS = problemResponses(COMMON_PROBLEMS, [
  'request_timeout',
  'expectation_failed',
  'headers_too_large',
]);

/** Serves the OpenAPI document of all routes declared afterwards at `/openapi.json`, and a reference page at `/docs`. */
export async function documentRoutes(
  app: FastifyInstance,
  { title, text, tags, scheme }: Description,
  uiConfig: NonNullable<FastifySwaggerUiOptions['uiConfig']> = {},
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version: '1', description: text },
      tags,
      components: { securitySchemes: { [SCHEME]: scheme } },
      security: [{ [SCHEME]: [] }],
    },
    transform: ({ schema, url }) => ({
      schema: { ...schema, response: { ...Object(schema?.response), ...PROTOCOL_PROBLEMS } },
      url,
    }),
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
  });
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: CONTENT_SECURITY_POLICY, uiConfig });
  let document: string | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    document ??= JSON.stringify(app.swagger());
    return reply.type('application/json; charset=utf-8').send(document);
  });
}
