import { findAudit } from '@milepost/operations/audits';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../problems/problem.ts';
import { readId } from '../../request/id.ts';
import { problems, type RouteContext } from '../context.ts';
import { idParams } from '../schemas.ts';
import { AuditResource } from './schemas.ts';

const schema = {
  tags: ['Audits'],
  summary: 'Show an audit',
  description: 'The whole report: each read table against the log, and every fault with the stored events behind it.',
  params: idParams('The id that `GET /audits` shows.'),
  response: { 200: AuditResource, ...problems('audit_not_found') },
};

export async function showAuditRoute(app: FastifyInstance, { pool }: RouteContext): Promise<void> {
  app.get<{ Params: { id: string } }>('/audits/:id', { schema }, async ({ params }) => {
    const id = readId(params.id);
    const audit = id === null ? null : await findAudit(pool, id);
    if (audit) return audit;
    throw new Problem('audit_not_found', 'There is no audit with this id: GET /audits lists them.');
  });
}
