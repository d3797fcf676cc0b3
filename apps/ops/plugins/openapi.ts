import { documentRoutes } from '@milepost/http';
import type { FastifyInstance } from 'fastify';

const TEXT = `What operators do with Milepost, over HTTP: look at how far it has come, and change what may be changed.

Every request but those for health and metrics carries \`Authorization: Bearer <token>\` with the value of OPS_TOKEN.
Changes are recorded in the audit trail, refused and failed ones too, under the name in the header \`Milepost-Operator\`.
Sentences that advise another request name it; with \`Milepost-Mention: command\` they name the command.
Work that takes longer than a request is done by a worker afterwards: no answer waits for it. One address may ask 600 times a
minute; \`RateLimit-*\` tells how many are left.
Errors are \`application/problem+json\` (RFC 9457) with a \`code\` of a closed list. Times are RFC 3339 in UTC.`;

/** Serves the OpenAPI document of all routes declared afterwards at `/openapi.json`, and a reference page at `/docs`. */
export async function documentOperations(app: FastifyInstance): Promise<void> {
  await documentRoutes(app, {
    title: 'Milepost for operators',
    text: TEXT,
    tags: [
      { name: 'Status', description: 'How far everything has come.' },
      { name: 'Projections', description: 'The read tables, and the generations of each.' },
      { name: 'Replays', description: 'Read tables built anew beside the live ones, compared, promoted or dropped.' },
      { name: 'Audits', description: 'The live read tables recounted from the log.' },
      { name: 'Dead letters', description: 'Records that broke a rule: looked at, tried again, given up.' },
      { name: 'Sources', description: 'Partitions of topics that stand still, and where they go on.' },
      { name: 'Lineage', description: 'From an answer back to the records behind it.' },
      { name: 'Drivers', description: 'Erasure of a person.' },
      { name: 'Retention', description: 'What nobody can ask for any more.' },
      { name: 'Keys', description: 'API keys of fleets.' },
      { name: 'Operations', description: 'The audit trail.' },
      { name: 'Service', description: 'Health and metrics, without a token.' },
    ],
    scheme: { type: 'http', scheme: 'bearer', description: 'The value of OPS_TOKEN.' },
  });
}
