import { retryDeadLetters } from '@milepost/event-log';
import { ROLES } from '@milepost/postgres';
import Type from 'typebox';
import type { InputError } from '../check.ts';
import { operation } from '../operation.ts';
import { type Mention, Refusal } from '../refusal.ts';
import { Flag, Id, nextBefore, nullable, pageInputs, pageOf, Reason, which } from '../schemas.ts';
import {
  countOpenDeadLetters,
  discardDeadLetters,
  findDeadLetters,
  firstOpenIds,
  groupDeadLetters,
  MOST_LETTERS,
  selectLetters,
} from './letters.ts';
import { DeadLetter, type DeadLetterFilter, DeadLetterGroup, deadLetterFields, filterFields } from './schemas.ts';

/** What is to be settled: ids, or all open ones that match. */
const choiceFields = {
  ids: Type.Optional(
    Type.Array(Id('an id'), {
      minItems: 1,
      maxItems: MOST_LETTERS,
      description: `1 to ${MOST_LETTERS} ids of dead letters.`,
    }),
  ),
  all_open: Type.Optional(
    Type.Literal(true, {
      description: 'true, or absent: instead of ids, all open ones, or those that match the filters.',
    }),
  ),
  ...filterFields,
};

const left = Type.Integer({
  description: 'Of `all_open`: how many more match that this request has not come to; ask again for the next ones.',
});

/** Filters go with `all_open` alone, so that a forgotten id settles nothing. Exported for tests. */
export function choiceErrors(
  { ids, all_open, ...filter }: { ids?: number[]; all_open?: true } & DeadLetterFilter,
  { parameter: named }: Pick<Mention, 'parameter'>,
): InputError[] {
  const all = named('all_open');
  if (all_open) return ids ? [{ parameter: 'ids', message: `Give ids or ${all}, not both.` }] : [];
  const [parameter] = Object.keys(filter).filter((name) => name in filterFields);
  if (parameter !== undefined) return [{ parameter, message: `Goes with ${all}.` }];
  return ids ? [] : [{ parameter: 'ids', message: `Required: ids of dead letters, or ${all}.` }];
}

const SHOWN_IDS = 20;

/** What came of retried dead letters, for the audit trail: `12 stored, 3 refused`. Exported for tests. */
export function retriedInWords(results: readonly { outcome: string }[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of results) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  if (counts.size === 0) return 'none tried';
  return [...counts].map(([outcome, count]) => `${count} ${outcome.replace('_', ' ')}`).join(', ');
}

/** Which dead letters were discarded, for the audit trail: `3 discarded: 4, 5, 9`. Names the first 20. Exported for tests. */
export function discardedInWords(ids: readonly number[]): string {
  const shown = ids.slice(0, SHOWN_IDS).join(', ');
  const more = ids.length > SHOWN_IDS ? ', ...' : '';
  return `${ids.length} discarded${shown && `: ${shown}${more}`}`;
}

const USUAL = 100;

export const listDeadLetters = operation({
  name: 'dead-letters.list',
  path: '/dead-letters',
  summary: 'List dead letters',
  description: 'Those that nobody has settled, newest first, without the bytes of their records.',
  input: Type.Object({
    ...filterFields,
    all: Flag('whether to list settled ones too.'),
    ...pageInputs(1_000, USUAL),
  }),
  answer: Type.Object({ dead_letters: Type.Array(DeadLetter), next_before: nextBefore }),
  heavy: true,
  async run({ pool }, { all = false, limit = USUAL, before, ...filter }) {
    const { entries, next_before } = await pageOf(limit, async (most) => {
      return await findDeadLetters(pool(ROLES.operator), filter, { limit: most, before, all });
    });
    return { answer: { dead_letters: entries, next_before } };
  },
});

export const summarizeDeadLetters = operation({
  name: 'dead-letters.summary',
  path: '/dead-letters/summary',
  summary: 'Count dead letters by reason and field',
  description: 'Those that nobody has settled, the largest groups first: at most 1,000 groups.',
  input: Type.Object({ ...filterFields, all: Flag('whether to count settled ones too.') }),
  answer: Type.Object({ groups: Type.Array(DeadLetterGroup) }),
  heavy: true,
  async run({ pool }, { all = false, ...filter }) {
    return { answer: { groups: await groupDeadLetters(pool(ROLES.operator), filter, all) } };
  },
});

export const showDeadLetter = operation({
  name: 'dead-letters.show',
  path: '/dead-letters/:id',
  summary: 'Show a dead letter',
  description: 'Why a record was refused, where it came from, and its bytes.',
  input: Type.Object({ id: Id('The id that the list of dead letters shows.') }),
  answer: Type.Object({
    ...deadLetterFields,
    raw_base64: nullable(
      Type.String({
        contentEncoding: 'base64',
        description: 'The record, byte for byte; null when it had no value at all, or its driver was erased.',
      }),
    ),
  }),
  refusals: ['dead_letter_not_found'],
  async run({ pool, mention }, { id }) {
    const query = selectLetters(pool(ROLES.operator)).select('letter.raw').where('letter.dead_letter_id', '=', id);
    const found = await query.executeTakeFirst();
    if (!found) {
      const listed = mention.operation('dead-letters.list', { all: true });
      throw new Refusal('dead_letter_not_found', `There is no dead letter ${which(id)}: ${listed} shows them.`);
    }
    const { raw, ...letter } = found;
    return { answer: { ...letter, raw_base64: raw?.toString('base64') ?? null } };
  },
});

const MOST_SKIPPED = 1_000_000;

export const retry = operation({
  name: 'dead-letters.retry',
  arguments: ['ids'],
  path: '/dead-letters/retry',
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
  inputErrors: choiceErrors,
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
    const results = await retryDeadLetters(pool(ROLES.ingest), ids ?? (await firstOpenIds(operator, filter, skip)));
    const detail = retriedInWords(results);
    if (!all_open) return { answer: { results, left: 0, next_skip: 0 }, detail };
    const next_skip = skip + results.filter(({ outcome }) => outcome === 'refused').length;
    const open = await countOpenDeadLetters(operator, filter);
    return { answer: { results, left: Math.max(0, open - next_skip), next_skip }, detail };
  },
});

export const discard = operation({
  name: 'dead-letters.discard',
  arguments: ['ids'],
  path: '/dead-letters/discard',
  summary: 'Discard dead letters',
  description: `Gives them up, on record; rows and bytes stay. At most ${MOST_LETTERS} a request.`,
  input: Type.Object({ ...choiceFields, note: Reason('1 to 1,000 characters: why, for good.') }),
  inputErrors: choiceErrors,
  answer: Type.Object({
    discarded: Type.Array(Type.Integer(), { description: 'The ids of those that were open.' }),
    not_open: Type.Array(Type.Integer(), { description: 'Of `ids`: there is none, or it is settled already.' }),
    left,
  }),
  change: 'recorded',
  heavy: true,
  async run({ pool }, { ids, all_open, note, ...filter }) {
    const operator = pool(ROLES.operator);
    const chosen = ids ?? (await firstOpenIds(operator, filter));
    const discarded = await discardDeadLetters(operator, chosen, note);
    const settled = new Set(discarded);
    const not_open = all_open ? [] : [...new Set(chosen)].filter((id) => !settled.has(id));
    const remaining = all_open ? await countOpenDeadLetters(operator, filter) : 0;
    return { answer: { discarded, not_open, left: remaining }, detail: discardedInWords(discarded) };
  },
});

export const operations = [listDeadLetters, summarizeDeadLetters, showDeadLetter, retry, discard];
