import { ReplayResource } from '@milepost/operations/replays';
import { readStatus } from '@milepost/operations/status';
import { PROJECTIONS } from '@milepost/projections';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { problems, type RouteContext } from './context.ts';
import { nullable, Time } from './schemas.ts';

export const Status = Type.Object(
  {
    head_position: Type.Integer({ description: 'Last position of the event log.' }),
    projections: Type.Array(
      Type.Object({
        name: Type.String(),
        version: Type.Integer(),
        generation: Type.Integer(),
        checkpoint: Type.Integer(),
        lag_events: Type.Integer(),
        lag_seconds: Type.Number({ description: 'Age of the oldest stored event not yet applied; 0 for none.' }),
        failed_position: nullable(Type.Integer()),
        failure: nullable(Type.String({ description: 'Why the projection stands still, if it does.' })),
      }),
    ),
    dead_letters: Type.Integer({ description: 'Those that nobody has settled.' }),
    sources: Type.Array(
      Type.Object({
        topic: Type.String(),
        partition: Type.Integer(),
        next_offset: Type.Integer(),
        end_offset: nullable(Type.Integer({ description: 'Null when Kafka could not be asked.' })),
        lag: nullable(Type.Integer()),
        stopped: Type.Boolean({ description: 'Whether the source stands still until an operator settles the fault.' }),
        fault: nullable(Type.String({ description: 'Why nothing comes from the source, if nothing does.' })),
        fault_at: nullable(Time),
      }),
    ),
    replays: Type.Array(ReplayResource, { description: 'Those that are not at their end.' }),
  },
  { description: 'How far everything has come.' },
);

const schema = {
  tags: ['Status'],
  summary: 'Show the status',
  description: 'How far the event log, the read tables and the sources have come, as of one moment.',
  response: { 200: Status, ...problems() },
};

export async function statusRoute(app: FastifyInstance, { pool, askEndOffsets }: RouteContext): Promise<void> {
  app.get('/status', { schema }, async () => await readStatus(pool, askEndOffsets, PROJECTIONS));
}
