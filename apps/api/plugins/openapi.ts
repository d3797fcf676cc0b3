import { type Description, documentRoutes } from '@milepost/http';
import type { FastifyInstance } from 'fastify';

const DESCRIPTION = `Read-only reports on the trips and the driving of one fleet: the one that your API key belongs to.
All dates and epoch times are UTC.

Every request carries \`Authorization: APIKEY <key>\` and \`Content-Type: application/json\`. Errors are
\`application/problem+json\` (RFC 9457) with a \`code\` of a closed list. Every answer to an authenticated request has
\`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`; every successful one an \`ETag\` for
\`If-None-Match\`, in \`Milepost-Position\` the position of your fleet's last stored event that it reflects, and in
\`Milepost-Lag-Seconds\` how old it may be: for how many whole seconds the oldest stored event has been waiting to be applied,
0 when none is.`;

/** Serves the OpenAPI document of all routes declared afterwards at `/openapi.json`, and a reference page at `/docs`. */
export async function documentReports(app: FastifyInstance): Promise<void> {
  const description: Description = {
    title: 'Milepost',
    text: DESCRIPTION,
    tags: [
      { name: 'Reports', description: 'The five endpoints.' },
      { name: 'Service', description: 'Health, without a key.' },
    ],
    scheme: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`APIKEY` and the key.' },
  };
  await documentRoutes(app, description, {
    // Requests tried out on the page carry the header that the interface requires.
    requestInterceptor: (request) => {
      const headers = 'headers' in request ? request['headers'] : {};
      return Object.assign(request, { headers: Object.assign({}, headers, { 'Content-Type': 'application/json' }) });
    },
  });
}
