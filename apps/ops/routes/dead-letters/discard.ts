import { countOpenDeadLetters, discardDeadLetters, discardedInWords } from '@milepost/operations/dead-letters';
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { changeProblems, type RouteContext } from '../context.ts';
import { operatorHeaders } from '../schemas.ts';
import { firstIds, readChoice } from './choice.ts';
import { choiceFields, left, MOST_LETTERS, SOME_TEXT } from './schemas.ts';

const Discard = Type.Object(
  { ...choiceFields, note: Type.String({ pattern: SOME_TEXT, description: '1 to 1,000 characters: why, for good.' }) },
  { additionalProperties: false },
);

export const DiscardResult = Type.Object({
  discarded: Type.Array(Type.Integer(), { description: 'The ids of those that were open.' }),
  not_open: Type.Array(Type.Integer(), { description: 'Of `ids`: there is none, or it is settled already.' }),
  left,
});

const schema = {
  tags: ['Dead letters'],
  summary: 'Discard dead letters',
  description: `Gives them up, on record; rows and bytes stay. At most ${MOST_LETTERS} a request.`,
  headers: operatorHeaders,
  body: Discard,
  response: { 200: DiscardResult, ...changeProblems() },
};

export async function discardDeadLettersRoute(app: FastifyInstance, { pool }: RouteContext): Promise<void> {
  const config = { action: 'dead-letters.discard' };
  app.post<{ Body: Static<typeof Discard> }>('/dead-letters/discard', { schema, config }, async (request) => {
    const { note, ...chosen } = request.body;
    const choice = readChoice(chosen);
    const ids = 'ids' in choice ? choice.ids : await firstIds(pool, choice.filter);
    const discarded = await discardDeadLetters(pool, ids, note);
    request.outcomeDetail = discardedInWords(discarded);
    const settled = new Set(discarded);
    return {
      discarded,
      not_open: 'ids' in choice ? ids.filter((id) => !settled.has(id)) : [],
      left: 'ids' in choice ? 0 : await countOpenDeadLetters(pool, choice.filter),
    };
  });
}
