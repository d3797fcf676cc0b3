import { PROJECTIONS } from '@milepost/projections';
import { rollBack as rollBackProjections } from '@milepost/replay';
import Type from 'typebox';
import { operation } from '../operation.ts';
import { ProjectionNames, ReplayResource } from './resource.ts';
import { asked, started } from './view.ts';

export const rollBack = operation({
  name: 'replay.rollback',
  method: 'POST',
  path: '/projections/:name/roll-back',
  tag: 'Projections',
  summary: 'Roll projections back',
  description:
    'Makes the generation live again that the last promotion replaced, of one projection or of several that were promoted together. It is brought up to date first, which is a replay of its own: the answer is that one.',
  input: Type.Object({ name: ProjectionNames }),
  answer: ReplayResource,
  statuses: [
    [201, 'Begun; `Location` names the replay.'],
    [200, 'The same roll back was under way already.'],
  ],
  change: 'recorded',
  refusals: ['replay_refused'],
  async run(context, { name }) {
    const wanted = { projection: name, requestedBy: context.operator };
    const replay = await asked(context, async (pool) => await rollBackProjections(pool, PROJECTIONS, wanted));
    return await started(context, replay);
  },
});
