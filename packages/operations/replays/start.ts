import { PROJECTIONS } from '@milepost/projections';
import { startReplay } from '@milepost/replay';
import Type, { type Static } from 'typebox';
import { operation } from '../operation.ts';
import { ProjectionNames, ReplayResource, ThrottleSetting } from './resource.ts';
import { asked, started } from './view.ts';

export const start = operation({
  name: 'replay.start',
  arguments: ['projection'],
  method: 'POST',
  path: '/replays',
  tag: 'Replays',
  summary: 'Start a replay',
  description:
    'Builds the read tables of one projection, of several, or of all, anew from the event log beside the live ones, and compares the two. Readers see nothing of it before it is promoted. Asked while the same one is under way, the answer is that one, which takes over `promote` and `accept_differences`; one that waits is verified anew, with the new `throttle`.',
  input: Type.Object({
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
  }),
  faults: ({ promote = false, accept_differences = false }, { parameter }) =>
    accept_differences && !promote
      ? [{ parameter: 'accept_differences', message: `Goes with ${parameter('promote')}.` }]
      : [],
  answer: ReplayResource,
  statuses: [
    [201, 'Started; `Location` names it.'],
    [200, 'The same replay was under way already.'],
  ],
  change: 'recorded',
  refusals: ['replay_refused'],
  async run(
    context,
    { projection, promote = false, accept_differences: acceptDifferences = false, throttle = 'auto' },
  ) {
    const wanted = { projection, promote, acceptDifferences, throttle, requestedBy: context.operator };
    const replay = await asked(context, async (pool) => await startReplay(pool, PROJECTIONS, wanted));
    return await started(context, replay);
  },
});
