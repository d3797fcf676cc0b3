import { QueryString } from '@milepost/http';
import { findDeadLetters } from '@milepost/operations/dead-letters';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { readWholeNumber } from '../../request/whole-number.ts';
import { problems, type RouteContext } from '../context.ts';
import { nullable } from '../schemas.ts';
import { readFilter } from './filter.ts';
import { deadLetterFields, filterFields } from './schemas.ts';

const LIMIT = { minimum: 1, maximum: 1_000 };
const DEFAULT_LIMIT = 100;
const BEFORE = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

export const DeadLetterList = Type.Object({
  dead_letters: Type.Array(Type.Object(deadLetterFields)),
  next_before: nullable(
    Type.Integer({ description: 'The value of `before` for the next, older ones; null when there are none.' }),
  ),
});

const schema = {
  tags: ['Dead letters'],
  summary: 'List dead letters',
  description: 'Those that nobody has settled, newest first, without the bytes of their records.',
  querystring: Type.Object({
    ...Type.Partial(Type.Object(filterFields)).properties,
    all: Type.Optional(Type.Boolean({ default: false, description: '`true`: settled ones too.' })),
    limit: Type.Optional(Type.Integer({ ...LIMIT, default: DEFAULT_LIMIT })),
    before: Type.Optional(Type.Integer({ minimum: 1, description: 'Only those with smaller ids than this one.' })),
  }),
  response: { 200: DeadLetterList, ...problems('invalid_parameter') },
};

function readAll(query: QueryString): boolean {
  const text = query.single('all') ?? 'false';
  if (text !== 'true' && text !== 'false') query.reject('all', 'Must be true or false.');
  return text === 'true';
}

export async function listDeadLettersRoute(app: FastifyInstance, { pool }: RouteContext): Promise<void> {
  app.get('/dead-letters', { schema }, async ({ url }) => {
    const query = new QueryString(url);
    const filter = { ...(await readFilter(query)), all: readAll(query) };
    const limit = readWholeNumber(query, 'limit', LIMIT) ?? DEFAULT_LIMIT;
    const before = readWholeNumber(query, 'before', BEFORE);
    query.finish();
    // One more than asked for tells whether there are older ones.
    const found = await findDeadLetters(pool, filter, { limit: limit + 1, before });
    const dead_letters = found.slice(0, limit);
    return { dead_letters, next_before: found.length > limit ? (dead_letters.at(-1)?.id ?? null) : null };
  });
}
