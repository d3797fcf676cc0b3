import { retryDeadLetters } from '@milepost/event-log';
import { ROLES } from '@milepost/postgres';
import Type from 'typebox';
import { operation } from '../operation.ts';
import { nullable } from '../schemas.ts';
import { choiceFaults, choiceFields, firstIds, left, MOST_LETTERS } from './choice.ts';
import { countOpenDeadLetters } from './open.ts';
import { retriedInWords } from './settled.ts';

const MOST_SKIPPED = 1_000_000;

export const retry = operation({
  name: 'dead-letters.retry',
  arguments: ['ids'],
  method: 'POST',
  path: '/dead-letters/retry',
  tag: 'Dead letters',
  summary: 'Retry dead letters',
  description: `Tries to store the same bytes again with the rules of this release, in the order of their sources: at most ${MOST_LETTERS} a request.`,
  input: Type.Object({
    ...choiceFields,
    skip: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MOST_SKIPPED,
        default: 0,
        description: `0 to ${MOST_SKIPPED}: with \`all_open\`, how many to leave out at the beginning, as \`next_skip\` of the request before says.`,
      }),
    ),
  }),
  faults: choiceFaults,
  answer: Type.Object({
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
  }),
  change: 'recorded',
  heavy: true,
  async run({ pool }, { ids, all_open, skip = 0, ...filter }) {
    const operator = pool(ROLES.operator);
    const results = await retryDeadLetters(pool(ROLES.ingest), ids ?? (await firstIds(operator, filter, skip)));
    const detail = retriedInWords(results);
    if (!all_open) return { answer: { results, left: 0, next_skip: 0 }, detail };
    const next_skip = skip + results.filter(({ outcome }) => outcome === 'refused').length;
    const open = await countOpenDeadLetters(operator, filter);
    return { answer: { results, left: Math.max(0, open - next_skip), next_skip }, detail };
  },
});
