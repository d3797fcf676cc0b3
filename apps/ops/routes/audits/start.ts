import type { FastifyInstance } from 'fastify';
import { Accepted, accept } from '../accepted.ts';
import { changeProblems, type RouteContext } from '../context.ts';
import { operatorHeaders } from '../schemas.ts';

const schema = {
  tags: ['Audits'],
  summary: 'Start an audit',
  description:
    'Has the live read tables recounted from the log now, as is done every AUDIT_INTERVAL_MINUTES anyway. The result is the newest of `GET /audits` once it is there.',
  headers: operatorHeaders,
  response: { 202: Accepted, ...changeProblems('queue_unavailable') },
};

export async function startAuditRoute(app: FastifyInstance, context: RouteContext): Promise<void> {
  app.post('/audits', { schema, config: { action: 'audit.start' } }, async (_request, reply) => {
    return await accept(context, reply, { kind: 'audit' }, '/audits', 'GET /audits shows the result once it is there.');
  });
}
