import { RefusedError } from '@milepost/operations/audit-trail';
import { acceptedInWords, acceptSource } from '@milepost/operations/sources';
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { Problem } from '../problems/problem.ts';
import { changeProblems, type RouteContext } from './context.ts';
import { operatorHeaders as headers } from './schemas.ts';

const Accept = Type.Object(
  {
    from: Type.Union([Type.Literal('beginning'), Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })], {
      description: '"beginning", for the oldest record that the broker holds, or an offset.',
    }),
  },
  { additionalProperties: false },
);

const params = Type.Object({ topic: Type.String(), partition: Type.Integer({ minimum: 0 }) });

export const AcceptedSource = Type.Object({
  topic: Type.String(),
  partition: Type.Integer(),
  abandoned_offset: Type.Integer({ description: 'Where it would have gone on.' }),
  next_offset: Type.Integer({ description: 'Where it goes on; 0 also stands for the oldest record there is.' }),
});

const schema = {
  tags: ['Sources'],
  summary: 'Accept a source',
  description:
    'Has a partition that stands still, or cannot be read, go on elsewhere, and so accepts that what lies between is never read. `GET /status` shows such partitions, with the cause. Ingest goes on within seconds; it stops again if the broker does not hold the offset.',
  headers,
  params,
  body: Accept,
  response: { 200: AcceptedSource, ...changeProblems('source_refused') },
};

export async function acceptSourceRoute(app: FastifyInstance, { pool }: RouteContext): Promise<void> {
  const config = { action: 'sources.accept' };
  app.post<{ Params: { topic: string; partition: string }; Body: Static<typeof Accept> }>(
    '/sources/:topic/:partition/accept',
    { schema, config },
    async (request) => {
      const { topic, partition } = request.params;
      // No text of PostgreSQL holds U+0000: asking for one would fail.
      if (!/^\d{1,9}$/.test(partition) || topic.includes('\0')) {
        throw new Problem('source_refused', 'There is no such source: the status shows those that stand still.');
      }
      const accepted = await acceptSource(pool, topic, Number(partition), request.body.from).catch((error: unknown) => {
        throw error instanceof RefusedError ? new Problem('source_refused', error.message) : error;
      });
      request.outcomeDetail = acceptedInWords(accepted);
      return accepted;
    },
  );
}
