import { QueryString } from '@milepost/http';
import { listOperations } from '@milepost/operations/audit-trail';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { readWholeNumber } from '../request/whole-number.ts';
import { problems, type RouteContext } from './context.ts';

const LIMIT = { minimum: 1, maximum: 1_000 };
const DEFAULT_LIMIT = 100;
const BEFORE = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

const Operation = Type.Object({
  id: Type.Integer(),
  at: Type.String({ format: 'date-time' }),
  actor: Type.String({
    description: 'The header `Milepost-Operator`, else `ops-token`; of a command, the user of the operating system.',
  }),
  via: Type.Enum(['http', 'cli']),
  action: Type.String({ description: 'What was asked for, such as `keys.create`.' }),
  parameters: Type.Object({}, { description: 'What it was asked for with.' }),
  outcome: Type.Enum(['done', 'refused', 'failed'], {
    description: '`refused`: the request was wrong, and nothing changed. `failed`: it broke on the way.',
  }),
  detail: Type.Union([Type.String(), Type.Null()], {
    description:
      'Why it was refused or failed; of what was done, what came of it, such as the id of a replay, or null.',
  }),
});

export const OperationList = Type.Object({
  operations: Type.Array(Operation),
  next_before: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The value of `before` for the next, older ones; null when there are none.',
  }),
});

const schema = {
  tags: ['Operations'],
  summary: 'List operations',
  description: 'The audit trail: who changed what, when, and what came of it. Newest first.',
  querystring: Type.Object({
    limit: Type.Optional(Type.Integer({ ...LIMIT, default: DEFAULT_LIMIT })),
    before: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Only operations older than the one with this id.' }),
    ),
  }),
  response: { 200: OperationList, ...problems('invalid_parameter') },
};

export async function operationsRoute(app: FastifyInstance, { pool }: RouteContext): Promise<void> {
  app.get('/operations', { schema }, async ({ url }) => {
    const query = new QueryString(url);
    const limit = readWholeNumber(query, 'limit', LIMIT) ?? DEFAULT_LIMIT;
    const before = readWholeNumber(query, 'before', BEFORE);
    query.finish();
    // One more than asked for tells whether there are older ones.
    const found = await listOperations(pool, { limit: limit + 1, before });
    const operations = found.slice(0, limit);
    return { operations, next_before: found.length > limit ? (operations.at(-1)?.id ?? null) : null };
  });
}
