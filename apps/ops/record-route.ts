import { Readable } from 'node:stream';
import { RATE_LIMIT_HEADERS } from '@milepost/http/schema';
import { openRecord } from '@milepost/operations/dead-letters';
import { type OperationServices, runOperation } from '@milepost/operations/run';
import type { FastifyInstance } from 'fastify';
import { inLane, schemaOf, throwProblem } from './operation-route.ts';
import { DEFAULT_OPERATOR } from './plugins/operator.ts';

/**
 * Declares `/dead-letters/:id/record`, which streams a record chunk by chunk, because a record may be hundreds of
 * megabytes in size. A second path contains the lane.
 */
export function streamRecords(app: FastifyInstance, services: OperationServices): void {
  const content = { 'application/octet-stream': { schema: openRecord.answer } };
  for (const operation of [openRecord, inLane(openRecord)]) {
    const { response, ...schema } = schemaOf(operation);
    const success = { description: 'The record, byte for byte.', headers: RATE_LIMIT_HEADERS, content };
    app.get<{ Params: { id: number; lane?: number } }>(
      operation.path,
      { schema: { ...schema, response: { ...response, 200: success } } },
      async ({ params: { id, lane } }, reply) => {
        const caller = { operator: DEFAULT_OPERATOR, lane };
        const { answer } = await runOperation(openRecord, { id }, services, caller).catch(throwProblem);
        return reply
          .headers({
            'cache-control': 'no-store',
            'content-disposition': `attachment; filename="dead-letter-${id}"`,
            'content-length': answer.byteLength,
          })
          .type('application/octet-stream')
          .send(Readable.from(answer.chunks, { objectMode: false }));
      },
    );
  }
}
