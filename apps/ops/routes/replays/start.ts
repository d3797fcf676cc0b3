import { PROJECTIONS } from '@milepost/projections';
import { startReplay } from '@milepost/replay';
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { Problem } from '../../problems/problem.ts';
import { changeProblems, type RouteContext } from '../context.ts';
import { operatorHeaders } from '../schemas.ts';
import { announce, asked, describeStarted, viewOf } from './answer.ts';
import { ProjectionNames, ReplayResource, ThrottleSetting } from './schemas.ts';

const NewReplay = Type.Object(
  {
    projection: ProjectionNames,
    promote: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'true or false: whether it promotes itself once verified, unless something unexpected differs.',
      }),
    ),
    accept_differences: Type.Optional(
      Type.Boolean({ default: false, description: 'true or false: with `promote`, whether it may whatever differs.' }),
    ),
    throttle: Type.Optional(Type.Unsafe<Static<typeof ThrottleSetting>>({ ...ThrottleSetting, default: 'auto' })),
  },
  { additionalProperties: false },
);

const schema = {
  tags: ['Replays'],
  summary: 'Start a replay',
  description:
    'Builds the read tables of one projection, of several, or of all, anew from the event log beside the live ones, and compares the two. Readers see nothing of it before it is promoted. Asked while the same one is under way, the answer is that one, which takes over `promote` and `accept_differences`; one that waits is verified anew, with the new `throttle`.',
  headers: operatorHeaders,
  body: NewReplay,
  response: {
    200: Type.Object(ReplayResource.properties, { description: 'The same replay was under way already.' }),
    201: Type.Object(ReplayResource.properties, { description: 'Started; `Location` names it.' }),
    ...changeProblems('replay_refused'),
  },
};

export async function startReplayRoute(app: FastifyInstance, context: RouteContext): Promise<void> {
  const config = { action: 'replay.start' };
  app.post<{ Body: Static<typeof NewReplay> }>('/replays', { schema, config }, async (request, reply) => {
    const { body, operator } = request;
    const { projection, promote = false, accept_differences: acceptDifferences = false, throttle = 'auto' } = body;
    if (acceptDifferences && !promote) {
      const errors = [{ parameter: 'accept_differences', message: 'Goes with promote.' }];
      throw new Problem('invalid_parameter', 'Wrong or missing: accept_differences.', { errors });
    }
    const wanted = { projection, promote, acceptDifferences, throttle, requestedBy: operator };
    const { id, created } = await asked(async () => await startReplay(context.pool, PROJECTIONS, wanted));
    request.outcomeDetail = describeStarted({ id, created });
    announce(context, id);
    return await reply
      .code(created ? 201 : 200)
      .header('location', `/replays/${id}`)
      .send(await viewOf(context, id));
  });
}
