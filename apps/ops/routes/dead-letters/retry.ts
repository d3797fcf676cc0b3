import { retryDeadLetters } from '@milepost/ingest/dead-letters';
import { countOpenDeadLetters, retriedInWords } from '@milepost/operations/dead-letters';
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { changeProblems, type RouteContext } from '../context.ts';
import { nullable, operatorHeaders } from '../schemas.ts';
import { type Choice, firstIds, readChoice } from './choice.ts';
import { choiceFields, left, MOST_LETTERS } from './schemas.ts';

const MOST_SKIPPED = 1_000_000;

const Retry = Type.Object(
  {
    ...choiceFields,
    skip: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MOST_SKIPPED,
        default: 0,
        description: `0 to ${MOST_SKIPPED}: with \`all_open\`, how many to leave out at the beginning, as \`next_skip\` of the request before says.`,
      }),
    ),
  },
  { additionalProperties: false },
);

export const RetryResult = Type.Object({
  results: Type.Array(
    Type.Object({
      id: Type.Integer(),
      outcome: Type.Enum(['stored', 'duplicate', 'refused', 'not_open'], {
        description:
          '`refused`: it breaks a rule as before, and stays open. `not_open`: there is none, or it is settled already.',
      }),
      message: nullable(Type.String({ description: 'Why it was refused.' })),
    }),
    { description: 'One for each, in the order in which they were tried.' },
  ),
  left,
  next_skip: Type.Integer({ description: 'The value of `skip` for the next ones: those refused so far come first.' }),
});

const schema = {
  tags: ['Dead letters'],
  summary: 'Retry dead letters',
  description: `Tries to store the same bytes again with the rules of this release, in the order of their sources: at most ${MOST_LETTERS} a request.`,
  headers: operatorHeaders,
  body: Retry,
  response: { 200: RetryResult, ...changeProblems() },
};

async function retry(
  { pool, ingestPool }: RouteContext,
  choice: Choice,
  skip: number,
): Promise<Static<typeof RetryResult>> {
  if ('ids' in choice) return { results: await retryDeadLetters(ingestPool, choice.ids), left: 0, next_skip: 0 };
  const results = await retryDeadLetters(ingestPool, await firstIds(pool, choice.filter, skip));
  const next_skip = skip + results.filter(({ outcome }) => outcome === 'refused').length;
  const open = await countOpenDeadLetters(pool, choice.filter);
  return { results, left: Math.max(0, open - next_skip), next_skip };
}

export async function retryDeadLettersRoute(app: FastifyInstance, context: RouteContext): Promise<void> {
  const config = { action: 'dead-letters.retry' };
  app.post<{ Body: Static<typeof Retry> }>('/dead-letters/retry', { schema, config }, async (request) => {
    const { skip = 0, ...chosen } = request.body;
    const answer = await retry(context, readChoice(chosen), skip);
    request.outcomeDetail = retriedInWords(answer.results);
    return answer;
  });
}
