import { PROJECTIONS } from '@milepost/projections';
import { rollBack } from '@milepost/replay';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { Problem } from '../../problems/problem.ts';
import { changeProblems, type RouteContext } from '../context.ts';
import { announce, asked, describeStarted, viewOf } from '../replays/answer.ts';
import { PROJECTION_NAMES, PROJECTION_NAMES_HINT, ProjectionNames, ReplayResource } from '../replays/schemas.ts';
import { operatorHeaders } from '../schemas.ts';

const schema = {
  tags: ['Projections'],
  summary: 'Roll projections back',
  description:
    'Makes the generation live again that the last promotion replaced, of one projection or of several that were promoted together. It is brought up to date first, which is a replay of its own: the answer is that one.',
  headers: operatorHeaders,
  params: Type.Object({ name: ProjectionNames }),
  response: {
    200: Type.Object(ReplayResource.properties, { description: 'The same roll back was under way already.' }),
    201: Type.Object(ReplayResource.properties, { description: 'Begun; `Location` names the replay.' }),
    ...changeProblems('replay_refused'),
  },
};

function assertKnown(name: string): void {
  if (PROJECTION_NAMES.test(name)) return;
  const errors = [{ parameter: 'name', message: `Must be ${PROJECTION_NAMES_HINT}` }];
  throw new Problem('invalid_parameter', 'Wrong or missing: name.', { errors });
}

export async function rollBackRoute(app: FastifyInstance, context: RouteContext): Promise<void> {
  const config = { action: 'replay.rollback' };
  app.post<{ Params: { name: string } }>('/projections/:name/roll-back', { schema, config }, async (request, reply) => {
    const { params, operator } = request;
    assertKnown(params.name);
    const wanted = { projection: params.name, requestedBy: operator };
    const { id, created } = await asked(async () => await rollBack(context.pool, PROJECTIONS, wanted));
    request.outcomeDetail = describeStarted({ id, created });
    announce(context, id);
    return await reply
      .code(created ? 201 : 200)
      .header('location', `/replays/${id}`)
      .send(await viewOf(context, id));
  });
}
