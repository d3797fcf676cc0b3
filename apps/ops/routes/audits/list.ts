import { QueryString } from '@milepost/http';
import { findAudits } from '@milepost/operations/audits';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { readWholeNumber } from '../../request/whole-number.ts';
import { problems, type RouteContext } from '../context.ts';
import { AuditList } from './schemas.ts';

const LIMIT = { minimum: 1, maximum: 1_000 };
const DEFAULT_LIMIT = 50;
const BEFORE = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

const schema = {
  tags: ['Audits'],
  summary: 'List audits',
  description: 'What was recounted when, and whether all was as it should be. Newest first.',
  querystring: Type.Object({
    limit: Type.Optional(Type.Integer({ ...LIMIT, default: DEFAULT_LIMIT })),
    before: Type.Optional(Type.Integer({ minimum: 1, description: 'Only audits older than the one with this id.' })),
  }),
  response: { 200: AuditList, ...problems('invalid_parameter') },
};

export async function listAuditsRoute(app: FastifyInstance, { pool }: RouteContext): Promise<void> {
  app.get('/audits', { schema }, async ({ url }) => {
    const query = new QueryString(url);
    const limit = readWholeNumber(query, 'limit', LIMIT) ?? DEFAULT_LIMIT;
    const before = readWholeNumber(query, 'before', BEFORE);
    query.finish();
    // One more than asked for tells whether there are older ones.
    const found = await findAudits(pool, { limit: limit + 1, before });
    const audits = found.slice(0, limit);
    return { audits, next_before: found.length > limit ? (audits.at(-1)?.id ?? null) : null };
  });
}
