import { documentRoutes } from '@milepost/http/openapi';
import { GROUPS } from '@milepost/operations/groups';
import { Action } from '@milepost/operations/schemas';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { PROBLEMS } from '../problems.ts';

const TEXT = `Milepost's HTTP API for operators shows and changes the state of the service.

Every request carries \`Authorization: Bearer <token>\` with the value of OPS_TOKEN, except requests for health and metrics.
The audit trail records all changes, including refused and failed ones, under the name in the \`Milepost-Operator\` header.
A refusal gives its reason as data in \`refusal\` and suggests operations in \`next\`.
A worker runs work that takes longer than a request, so the response does not wait for it. One address may send 600 requests a
minute. The \`RateLimit-*\` headers show how many are left.
Errors are \`application/problem+json\` (RFC 9457) with a \`code\` from a [closed list](errors/). Times are RFC 3339 in UTC.`;

const REASON = {
  additionalProperties: true,
  description: 'The reason for a refusal, as data. The fields depend on its `code`.',
};

/**
 * Serves the OpenAPI document of all routes declared afterwards at `/openapi.json`, and a reference page at `/docs`.
 */
export async function documentOperations(app: FastifyInstance, publicUrl: string): Promise<void> {
  await documentRoutes(app, {
    title: 'Milepost for operators',
    publicUrl,
    text: TEXT,
    tags: [
      ...Object.values(GROUPS).map(({ tag, description }) => ({ name: tag, description })),
      { name: 'Service', description: 'Health, metrics and the record schemas. These paths need no token.' },
    ],
    scheme: { type: 'http', scheme: 'bearer', description: 'The value of OPS_TOKEN.' },
    problems: PROBLEMS,
    problemExtensions: {
      refusal: Type.Optional(Type.Object({}, REASON)),
      next: Type.Optional(Type.Array(Action, { description: 'Operations that help after a refusal.' })),
    },
  });
}
