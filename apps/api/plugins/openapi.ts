import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

const DESCRIPTION = `Read-only reports on the trips and the driving of one fleet: the one that your API key belongs to.
All dates and epoch times are UTC.

Every request carries \`Authorization: APIKEY <key>\` and \`Content-Type: application/json\`. Errors are
\`application/problem+json\` (RFC 9457) with a \`code\` of a closed list. Every answer to an authenticated request has
\`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`; every successful one an \`ETag\` for \`If-None-Match\`
and, in \`Milepost-Position\`, the position of the event log that it reflects.`;

/** The page needs nothing from elsewhere. No upgrade-insecure-requests: without TLS the page would load none of its scripts. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; frame-ancestors 'none'";

/** Serves the OpenAPI document of all routes declared afterwards at `/openapi.json`, and a reference page at `/docs`. */
export async function documentRoutes(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Milepost', version: '1', description: DESCRIPTION },
      tags: [
        { name: 'Reports', description: 'The five endpoints.' },
        { name: 'Service', description: 'Health, without a key.' },
      ],
      components: {
        securitySchemes: {
          ApiKey: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`APIKEY` and the key.' },
        },
      },
      security: [{ ApiKey: [] }],
    },
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: CONTENT_SECURITY_POLICY,
    // Requests tried out on the page carry the header that the interface requires.
    uiConfig: {
      requestInterceptor: (request) => {
        const headers = 'headers' in request ? request['headers'] : {};
        return Object.assign(request, { headers: Object.assign({}, headers, { 'Content-Type': 'application/json' }) });
      },
    },
  });
  let document: string | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    document ??= JSON.stringify(app.swagger());
    return reply.type('application/json; charset=utf-8').send(document);
  });
}
