import type { FastifyInstance } from 'fastify';
import { Accepted, accept } from './accepted.ts';
import { changeProblems, type RouteContext } from './context.ts';
import { operatorHeaders } from './schemas.ts';

const schema = {
  tags: ['Retention'],
  summary: 'Run retention',
  description:
    'Does now what is done every hour anyway: leaves rows out of the read tables that nobody can ask for any more, by a replay of each table concerned, and drops generations that were kept long enough for a roll back. The event log keeps everything; `milepost archive` writes ranges of it to files, which is a matter for the command line, as the files stay with whoever asks for them.',
  headers: operatorHeaders,
  response: { 202: Accepted, ...changeProblems('queue_unavailable') },
};

export async function retentionRoute(app: FastifyInstance, context: RouteContext): Promise<void> {
  app.post('/retention', { schema, config: { action: 'retention.run' } }, async (_request, reply) => {
    const detail = 'GET /replays shows those that it begins, requested by `retention`.';
    return await accept(context, reply, { kind: 'retention' }, '/replays', detail);
  });
}
