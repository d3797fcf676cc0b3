import { throttleReplay } from '@milepost/replay';
import Type from 'typebox';
import { operation } from '../operation.ts';
import { ReplayId, ReplayResource, ThrottleSetting } from './resource.ts';
import { asked, viewOf } from './view.ts';

export const throttle = operation({
  name: 'replay.throttle',
  arguments: ['id', 'throttle'],
  method: 'PUT',
  path: '/replays/:id/throttle',
  tag: 'Replays',
  summary: 'Throttle a replay',
  description: 'How fast it may go from now on. The worker that has it in hand follows within a second.',
  input: Type.Object({ id: ReplayId, throttle: ThrottleSetting }),
  answer: ReplayResource,
  change: 'recorded',
  refusals: ['replay_not_found', 'replay_refused'],
  async run(context, input) {
    await asked(context, async (pool) => await throttleReplay(pool, input.id, input.throttle));
    return { answer: await viewOf(context, input.id) };
  },
});
