import { throttleReplay } from '@milepost/replay';
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { changeProblems, type RouteContext } from '../context.ts';
import { operatorHeaders } from '../schemas.ts';
import { asked, replayId, viewOf } from './answer.ts';
import { ReplayResource, ThrottleSetting } from './schemas.ts';
import { replayParams } from './show.ts';

const NewThrottle = Type.Object({ throttle: ThrottleSetting }, { additionalProperties: false });

const schema = {
  tags: ['Replays'],
  summary: 'Throttle a replay',
  description: 'How fast it may go from now on. The worker that has it in hand follows within a second.',
  headers: operatorHeaders,
  params: replayParams,
  body: NewThrottle,
  response: { 200: ReplayResource, ...changeProblems('replay_not_found', 'replay_refused') },
};

interface Route {
  Params: { id: string };
  Body: Static<typeof NewThrottle>;
}

export async function throttleReplayRoute(app: FastifyInstance, context: RouteContext): Promise<void> {
  const config = { action: 'replay.throttle' };
  app.put<Route>('/replays/:id/throttle', { schema, config }, async ({ params, body }) => {
    const id = replayId(params);
    await asked(async () => await throttleReplay(context.pool, id, body.throttle));
    return await viewOf(context, id);
  });
}
