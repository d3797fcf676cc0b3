import type { Pool } from '@milepost/postgres';
import { cancelReplay, dropReplay, pauseReplay, resumeReplay } from '@milepost/replay';
import Type from 'typebox';
import { operation } from '../operation.ts';
import { ReplayId, ReplayResource } from './resource.ts';
import { announced, asked } from './view.ts';

/** An operation that needs nothing but a replay's id. The answer shows it at once; a worker acts on it a moment later. */
function control(
  verb: string,
  change: (pool: Pool, id: number) => Promise<void>,
  words: { summary: string; description: string },
) {
  return operation({
    name: `replay.${verb}`,
    method: 'POST',
    path: `/replays/:id/${verb}`,
    tag: 'Replays',
    ...words,
    input: Type.Object({ id: ReplayId }),
    answer: ReplayResource,
    change: 'recorded',
    refusals: ['replay_not_found', 'replay_refused'],
    async run(context, { id }) {
      await asked(context, async (pool) => await change(pool, id));
      return await announced(context, id);
    },
  });
}

export const pause = control('pause', pauseReplay, {
  summary: 'Pause a replay',
  description: 'It stops after the work under way, until it is resumed; what it has built stays.',
});

export const resume = control('resume', resumeReplay, {
  summary: 'Resume a replay',
  description: 'A paused one goes on where it stopped; a failed one too, once the cause is mended.',
});

export const cancel = control('cancel', cancelReplay, {
  summary: 'Cancel a replay',
  description: 'Ends it before its promotion and drops what it has built. The live read tables are not touched.',
});

export const drop = control('drop', dropReplay, {
  summary: 'Drop what a replay leaves',
  description:
    'Drops the generations that it has built or replaced. What is live stays, and what the roll back of another replay would bring back. After that its own promotion cannot be rolled back.',
});
