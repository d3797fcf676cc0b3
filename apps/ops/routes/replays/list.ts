import { QueryString } from '@milepost/http';
import { PROJECTIONS } from '@milepost/projections';
import { listReplays, type ReplayView } from '@milepost/replay';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { readWholeNumber } from '../../request/whole-number.ts';
import { problems, type RouteContext } from '../context.ts';
import { ReplayList } from './schemas.ts';

const LIMIT = { minimum: 1, maximum: 200 };
const DEFAULT_LIMIT = 20;

const schema = {
  tags: ['Replays'],
  summary: 'List replays',
  description: 'The newest replays, newest first, with the results of their verifications in short.',
  querystring: Type.Object({ limit: Type.Optional(Type.Integer({ ...LIMIT, default: DEFAULT_LIMIT })) }),
  response: { 200: ReplayList, ...problems('invalid_parameter') },
};

function inShort(view: ReplayView) {
  if (view.verification === null) return view;
  const { position, equal, expected, differences } = view.verification;
  return { ...view, verification: { position, equal, expected, differences } };
}

export async function listReplaysRoute(app: FastifyInstance, { pool }: RouteContext): Promise<void> {
  app.get('/replays', { schema }, async ({ url }) => {
    const query = new QueryString(url);
    const limit = readWholeNumber(query, 'limit', LIMIT) ?? DEFAULT_LIMIT;
    query.finish();
    return { replays: (await listReplays(pool, PROJECTIONS, limit)).map(inShort) };
  });
}
