import { listProjections } from '@milepost/operations/projections';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { problems, type RouteContext } from '../context.ts';
import { Day, nullable, Time } from '../schemas.ts';

const Generation = Type.Object({
  generation: Type.Integer({ description: 'Numbers are never used twice.' }),
  version: Type.Integer({ description: "Of the projection's code." }),
  state: Type.Enum(['live', 'building', 'retired'], {
    description:
      '`live`: answers come from it. `building`: a replay works on it, or waits for its promotion. `retired`: it was live, and is kept for a roll back.',
  }),
  checkpoint: Type.Integer({ description: 'The position up to which it has been applied.' }),
  lag_events: Type.Integer({ description: 'Stored events that it does not show yet; retired ones stand still.' }),
  horizon: nullable(Day),
  created_at: Time,
  retired_at: nullable(Time),
  replay_id: nullable(Type.Integer({ description: 'The replay that works on it, or waits with it.' })),
  failed_position: nullable(Type.Integer()),
  failure: nullable(Type.String({ description: 'Why it stands still, if it does.' })),
});

export const ProjectionList = Type.Object({
  projections: Type.Array(
    Type.Object({ name: Type.String(), generations: Type.Array(Generation, { description: 'The newest first.' }) }),
  ),
});

const schema = {
  tags: ['Projections'],
  summary: 'List projections',
  description: 'Every projection with all generations of its read table that there are; dropped ones are left out.',
  response: { 200: ProjectionList, ...problems() },
};

export async function listProjectionsRoute(app: FastifyInstance, { pool }: RouteContext): Promise<void> {
  app.get('/projections', { schema }, async () => ({ projections: await listProjections(pool) }));
}
