import { Readable } from 'node:stream';
import { openRecord } from '@milepost/dead-letters';
import { problemResponses, RATE_LIMIT_HEADERS } from '@milepost/http/schema';
import { showDeadLetter } from '@milepost/operations/dead-letters';
import { groupOf } from '@milepost/operations/groups';
import { type LaneServices, laneContext } from '@milepost/operations/lane';
import { Refusal } from '@milepost/operations/refusal';
import { Id } from '@milepost/operations/schemas';
import { ROLES } from '@milepost/postgres';
import type { FastifyInstance, FastifyReply } from 'fastify';
import Type from 'typebox';
import { COMMON, LANE_PATH, LaneNumber, throwProblem } from './operation-route.ts';
import { PROBLEMS } from './problems.ts';

const ID = Id('An id from the list of dead letters.');

const SCHEMA = {
  tags: [groupOf(showDeadLetter).tag],
  description:
    'All bytes of the record. The response is empty when the record had no value, or when its driver was erased.',
  querystring: Type.Object({}, { additionalProperties: false }),
  response: {
    200: {
      description: 'The record, byte for byte.',
      headers: RATE_LIMIT_HEADERS,
      content: {
        'application/octet-stream': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } },
      },
    },
    ...problemResponses(PROBLEMS, [...COMMON, 'dead_letter_not_found', 'lane_not_found'], { counted: true }),
  },
};

async function send(
  services: LaneServices,
  { id, lane }: { id: number; lane?: number },
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { pool } = await laneContext(services, lane, {});
  const record = await openRecord(pool(ROLES.operator), id);
  if (record === null) throw new Refusal({ code: 'dead_letter_not_found', id });
  return reply
    .headers({
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="dead-letter-${id}"`,
      'content-length': record.byteLength,
    })
    .type('application/octet-stream')
    .send(Readable.from(record.chunks, { objectMode: false }));
}

/**
 * Declares `/dead-letters/:id/record`, which streams a record chunk by chunk, because a record may be hundreds of
 * megabytes in size. A second path contains the lane.
 */
export function streamRecords(app: FastifyInstance, services: LaneServices): void {
  const summary = 'Download the record of a dead letter';
  const routes = [
    { path: '', operationId: 'deadLettersRecord', summary, ids: { id: ID } },
    {
      path: LANE_PATH,
      operationId: 'deadLettersRecordInLane',
      summary: `${summary}, in a lane`,
      ids: { lane: LaneNumber, id: ID },
    },
  ];
  for (const { path, ids, ...words } of routes) {
    const params = Type.Object(ids, { additionalProperties: false });
    app.get<{ Params: { id: number; lane?: number } }>(
      `${path}${showDeadLetter.path}/record`,
      { schema: { ...SCHEMA, ...words, params } },
      async (request, reply) => await send(services, request.params, reply).catch(throwProblem),
    );
  }
}
