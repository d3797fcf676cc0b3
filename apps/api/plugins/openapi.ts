import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addDays, mondayOf } from '@milepost/domain/calendar';
import { tripId } from '@milepost/domain/trip-id';
import { type Description, documentRoutes, type ParameterExamples, serveReference } from '@milepost/http';
import type { FastifyInstance } from 'fastify';
import { answerableDates } from '../parameters.ts';
import { PROBLEMS } from '../problems.ts';

/** A chapter of the description. */
const SCORE = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'score.md'), 'utf8');

const TEXT = `Read-only reports on the trips and the driving of one fleet: the one that your API key belongs to.
All dates and epoch times are UTC.

Every request carries \`Authorization: APIKEY <key>\` and \`Content-Type: application/json\`. Errors are
\`application/problem+json\` (RFC 9457) with a \`code\` of a [closed list](/docs/errors/). Every answer to an authenticated request has
\`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`; every successful one an \`ETag\` for
\`If-None-Match\`, in \`Milepost-Position\` the position of your fleet's last stored event that it reflects, and in
\`Milepost-Lag-Seconds\` how old it may be: for how many whole seconds the oldest stored event has been waiting to be applied,
0 when none is.

${SCORE}`;

const DESCRIPTION: Description = {
  title: 'Milepost',
  text: TEXT,
  tags: [
    { name: 'Reports', description: 'The five endpoints.' },
    { name: 'Service', description: 'Health, and the schemas of records, without a key.' },
  ],
  scheme: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`APIKEY`, a space, and the key.' },
  problems: PROBLEMS,
};

/** What the sample fleet has answers to. */
function examples(now: number): ParameterExamples {
  return {
    driver_id: 'driver-00001',
    trip_id: tripId('sunrise-delivery', 'standard-1'),
    tracking_id: 'pool-car',
    // The Monday of the last week that is over suits all endpoints.
    start_date: mondayOf(addDays(answerableDates(now).today, -7)),
  };
}

/** Serves the OpenAPI document of all routes declared afterwards at `/openapi.json`, and a reference page at `/docs`. */
export async function documentReports(app: FastifyInstance, now: () => number): Promise<void> {
  await documentRoutes(app, DESCRIPTION, () => examples(now()));
  await serveReference(app, DESCRIPTION.title, {
    // A key works as it is printed, and requests have the header that the interface requires.
    onRequestBuilt: ({ request: { headers } }) => {
      const key = headers.get('Authorization');
      if (key !== null && !/^APIKEY /i.test(key)) headers.set('Authorization', `APIKEY ${key}`);
      headers.set('Content-Type', 'application/json');
    },
  });
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs/'));
}
