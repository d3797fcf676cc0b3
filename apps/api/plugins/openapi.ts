import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerableDates } from '@milepost/domain/answer-times';
import { addDays, mondayOf } from '@milepost/domain/calendar';
import { tripId } from '@milepost/domain/trip-id';
import { documentRoutes } from '@milepost/http/openapi';
import type { ParameterExamples } from '@milepost/http/openapi-document';
import type { FastifyInstance } from 'fastify';
import { PROBLEMS } from '../problems.ts';

/** The section about the score, which is part of the description below. */
const SCORE = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'score.md'), 'utf8');

const TEXT = `Read-only reports on the trips and the driving of the fleet to which your API key belongs.
All dates and epoch times are UTC.

Every request carries \`Authorization: APIKEY <key>\` and \`Content-Type: application/json\`. Errors are
\`application/problem+json\` (RFC 9457) with a \`code\` from a [closed list](errors/). Every response has
\`X-Request-Id\`: the id that you sent, if it consists of 1 to 128 characters from \`A-Za-z0-9_.~:+/=@-\`, otherwise a new
one. A request counted by the rate limit gets \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`.
A request refused with 401 or 503 before it is counted gets none of these. Every successful response also has three
headers. \`ETag\` is for \`If-None-Match\`. \`Milepost-Position\` is the position of your fleet's last stored event that
the response reflects. \`Milepost-Lag-Seconds\` is how old the response may be, in seconds, rounded down: the age of the
oldest stored event that has not been applied yet, or the delay of the standby that serves it, whichever is longer. It
is 0 when no stored event is waiting.

${SCORE}`;

/** Parameters for which the sample fleet has data. */
function examples(now: number): ParameterExamples {
  return {
    driver_id: 'driver-00001',
    trip_id: tripId('sunrise-delivery', 'standard-1'),
    tracking_id: 'pool-car',
    // All endpoints accept the Monday of the last complete week.
    start_date: mondayOf(addDays(answerableDates(now).today, -7)),
  };
}

/**
 * Serves `/openapi.json`, the OpenAPI document of all routes declared afterwards, and a reference page at `/docs`.
 */
export async function documentReports(app: FastifyInstance, now: () => number, publicUrl: string): Promise<void> {
  await documentRoutes(app, {
    title: 'Milepost',
    publicUrl,
    text: TEXT,
    tags: [
      { name: 'Reports', description: 'The five endpoints.' },
      { name: 'Service', description: 'Health and the record schemas. These paths need no key.' },
    ],
    scheme: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`APIKEY`, a space, and the key.' },
    problems: PROBLEMS,
    examples: () => examples(now()),
    tryOut: {
      // Add the scheme, which the reader may omit, and the Content-Type, which the interface requires.
      onRequestBuilt: ({ request: { headers } }) => {
        const key = headers.get('Authorization');
        if (key !== null && !/^APIKEY /i.test(key)) headers.set('Authorization', `APIKEY ${key}`);
        headers.set('Content-Type', 'application/json');
      },
    },
  });
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('./docs/'));
}
