import { promoteReplay } from '@milepost/replay';
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { changeProblems, type RouteContext } from '../context.ts';
import { operatorHeaders } from '../schemas.ts';
import { announce, asked, replayId, viewOf } from './answer.ts';
import { ReplayResource } from './schemas.ts';
import { replayParams } from './show.ts';

const Promotion = Type.Object(
  {
    accept_differences: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'true or false: whether to promote although rows differ and no changed version explains it.',
      }),
    ),
  },
  { additionalProperties: false },
);

const schema = {
  tags: ['Replays'],
  summary: 'Promote a replay',
  description:
    'Makes live what it has built; one under way is made live once it is verified. What was live is kept for a roll back.',
  headers: operatorHeaders,
  params: replayParams,
  body: Promotion,
  response: { 200: ReplayResource, ...changeProblems('replay_not_found', 'replay_refused') },
};

interface Route {
  Params: { id: string };
  Body: Static<typeof Promotion>;
}

export async function promoteReplayRoute(app: FastifyInstance, context: RouteContext): Promise<void> {
  const config = { action: 'replay.promote' };
  app.post<Route>('/replays/:id/promote', { schema, config }, async ({ params, body }) => {
    const id = replayId(params);
    const { accept_differences: acceptDifferences = false } = body;
    await asked(async () => await promoteReplay(context.pool, id, { acceptDifferences }));
    announce(context, id);
    return await viewOf(context, id);
  });
}
