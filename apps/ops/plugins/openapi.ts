import { documentRoutes, serveReference } from '@milepost/http';
import { ROOMS } from '@milepost/operations/rooms';
import type { FastifyInstance } from 'fastify';
import { GLOSSARY } from '../glossary.ts';
import { PROBLEMS } from '../problems.ts';

const TITLE = 'Milepost for operators';
const TEXT = `What operators do with Milepost, over HTTP: look at how far it has come, and change what may be changed.

Every request but those for health and metrics carries \`Authorization: Bearer <token>\` with the value of OPS_TOKEN.
Changes are recorded in the audit trail, refused and failed ones too, under the name in the header \`Milepost-Operator\`.
Sentences that advise another request name it; with \`Milepost-Mention: command\` they name the command.
Work that takes longer than a request is done by a worker afterwards: no answer waits for it. One address may ask 600 times a
minute; \`RateLimit-*\` tells how many are left.
Errors are \`application/problem+json\` (RFC 9457) with a \`code\` of a [closed list](/docs/errors/). Times are RFC 3339 in UTC.`;

/** Serves the OpenAPI document of all routes declared afterwards at `/openapi.json`, and a reference page at `/docs`. */
export async function documentOperations(app: FastifyInstance): Promise<void> {
  await documentRoutes(app, {
    title: TITLE,
    text: TEXT,
    tags: [
      ...Object.values(ROOMS).map(({ tag, description }) => ({ name: tag, description })),
      { name: 'Service', description: 'Health, metrics and the schemas of records, without a token.' },
    ],
    scheme: { type: 'http', scheme: 'bearer', description: 'The value of OPS_TOKEN.' },
    problems: PROBLEMS,
    glossary: GLOSSARY,
  });
  await serveReference(app, TITLE);
}
