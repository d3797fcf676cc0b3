import type { FastifyInstance } from 'fastify';
import { problems, type RouteContext } from '../context.ts';
import { idParams } from '../schemas.ts';
import { replayId, viewOf } from './answer.ts';
import { ReplayResource } from './schemas.ts';

export const replayParams = idParams('The id that `GET /replays` shows.');

const schema = {
  tags: ['Replays'],
  summary: 'Show a replay',
  description: 'How it stands, and the whole report of its verification.',
  params: replayParams,
  response: { 200: ReplayResource, ...problems('replay_not_found') },
};

export async function showReplayRoute(app: FastifyInstance, context: RouteContext): Promise<void> {
  app.get<{ Params: { id: string } }>('/replays/:id', { schema }, async ({ params }) => {
    return await viewOf(context, replayId(params));
  });
}
