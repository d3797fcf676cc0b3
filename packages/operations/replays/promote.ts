import { promoteReplay } from '@milepost/replay';
import Type from 'typebox';
import { operation } from '../operation.ts';
import { ReplayId, ReplayResource } from './resource.ts';
import { announced, asked } from './view.ts';

export const promote = operation({
  name: 'replay.promote',
  method: 'POST',
  path: '/replays/:id/promote',
  tag: 'Replays',
  summary: 'Promote a replay',
  description:
    'Makes live what it has built; one under way is made live once it is verified. What was live is kept for a roll back.',
  input: Type.Object({
    id: ReplayId,
    accept_differences: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'true or false: whether to promote although rows differ and no changed version explains it.',
      }),
    ),
  }),
  answer: ReplayResource,
  change: 'recorded',
  refusals: ['replay_not_found', 'replay_refused'],
  async run(context, { id, accept_differences: acceptDifferences = false }) {
    await asked(context, async (pool) => await promoteReplay(pool, id, { acceptDifferences }));
    return await announced(context, id);
  },
});
