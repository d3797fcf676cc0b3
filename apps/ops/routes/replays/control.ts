import type { Pool } from '@milepost/postgres';
import { cancelReplay, dropReplay, pauseReplay, resumeReplay } from '@milepost/replay';
import type { FastifyInstance } from 'fastify';
import { changeProblems, type RouteContext } from '../context.ts';
import { operatorHeaders } from '../schemas.ts';
import { announce, asked, replayId, viewOf } from './answer.ts';
import { ReplayResource } from './schemas.ts';
import { replayParams } from './show.ts';

interface Control {
  verb: string;
  summary: string;
  description: string;
  change: (pool: Pool, id: number) => Promise<void>;
}

const CONTROLS: readonly Control[] = [
  {
    verb: 'pause',
    summary: 'Pause a replay',
    description: 'It stops after the parts under way, until it is resumed; what it has built stays.',
    change: pauseReplay,
  },
  {
    verb: 'resume',
    summary: 'Resume a replay',
    description: 'A paused one goes on where it stopped; a failed one too, once the cause is mended.',
    change: resumeReplay,
  },
  {
    verb: 'cancel',
    summary: 'Cancel a replay',
    description: 'Ends it before its promotion and drops what it has built. The live read tables are not touched.',
    change: cancelReplay,
  },
  {
    verb: 'drop',
    summary: 'Drop what a replay leaves',
    description:
      'Drops the generations that it has built or replaced. What is live stays, and what the roll back of another replay would bring back. After that its own promotion cannot be rolled back.',
    change: dropReplay,
  },
];

/** What needs nothing but to be said. The answer shows the replay at once; a worker acts on it a moment later. */
export async function controlReplayRoutes(app: FastifyInstance, context: RouteContext): Promise<void> {
  for (const { verb, summary, description, change } of CONTROLS) {
    const schema = {
      tags: ['Replays'],
      summary,
      description,
      headers: operatorHeaders,
      params: replayParams,
      response: { 200: ReplayResource, ...changeProblems('replay_not_found', 'replay_refused') },
    };
    const config = { action: `replay.${verb}` };
    app.post<{ Params: { id: string } }>(`/replays/:id/${verb}`, { schema, config }, async ({ params }) => {
      const id = replayId(params);
      await asked(async () => await change(context.pool, id));
      announce(context, id);
      return await viewOf(context, id);
    });
  }
}
