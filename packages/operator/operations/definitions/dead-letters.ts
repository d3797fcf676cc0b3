import * as engine from '@milepost/dead-letters';
import { retryDeadLetters } from '@milepost/dead-letters/retry';
import { DEAD_LETTER_CHUNK_BYTES } from '@milepost/event-log/dead-letter-bytes';
import { ROLES } from '@milepost/postgres';
import { findHomeOfFleet } from '@milepost/postgres/lanes/fleet-homes';
import Type from 'typebox';
import type { InputError } from '../language/check.ts';
import { type OperationContext, operation } from '../language/operation.ts';
import { Refusal } from '../language/refusal.ts';
import { Flag, Id, nullable, OneOf, pagesOf, Reason, Text, WholeNumber } from '../language/schemas.ts';
import { DeadLetter, DeadLetterGroup, deadLetterFields, filterFields } from './dead-letter-schemas.ts';

/** The dead letters to settle, given by their ids, or all open ones that match the filters. */
const choiceFields = {
  ids: Type.Optional(
    Type.Array(Id('an id'), {
      minItems: 1,
      maxItems: engine.MAX_DEAD_LETTERS,
      description: `1 to ${engine.MAX_DEAD_LETTERS} ids of dead letters.`,
    }),
  ),
  all_open: Type.Optional(
    Type.Literal(true, {
      description: '`true` instead of `ids` selects all open dead letters, or those that match the filters.',
    }),
  ),
  ...filterFields,
};

const left = Type.Integer({
  examples: [0],
  description:
    'With `all_open`: the number of matching dead letters not tried yet; they are tried if the request is repeated.',
});

/** Filters require `all_open`, so that a request that omits `ids` by mistake has no effect. */
function choiceErrors({
  ids,
  all_open,
  ...filter
}: { ids?: number[]; all_open?: true } & engine.DeadLetterFilter): InputError[] {
  if (all_open) return ids ? [{ parameter: 'ids', message: 'Give ids or `all_open`, not both.' }] : [];
  const [parameter] = Object.keys(filter).filter((name) => name in filterFields);
  if (parameter !== undefined) return [{ parameter, message: 'Requires `all_open`.' }];
  return ids ? [] : [{ parameter: 'ids', message: 'Required: ids of dead letters, or `all_open`.' }];
}

const SHOWN_IDS = 20;

/** Returns the outcome of a retry for the audit trail: `12 stored, 3 refused`. */
function retriedInWords(results: readonly { outcome: string }[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of results) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  if (counts.size === 0) return 'none tried';
  return [...counts].map(([outcome, count]) => `${count} ${outcome.replace('_', ' ')}`).join(', ');
}

/** Returns the discarded ids for the audit trail: `3 discarded: 4, 5, 9`. Lists at most the first 20. */
function discardedInWords(ids: readonly number[]): string {
  const shown = ids.slice(0, SHOWN_IDS).join(', ');
  const more = ids.length > SHOWN_IDS ? ', ...' : '';
  return `${ids.length} discarded${shown && `: ${shown}${more}`}`;
}

const PAGES = pagesOf(1_000, 100);

export const listDeadLetters = operation({
  name: 'dead-letters.list',
  path: '/dead-letters',
  summary: 'List dead letters',
  description: 'The open dead letters, newest first, without the bytes of their records.',
  input: Type.Object({
    ...filterFields,
    all: Flag('whether to list settled dead letters too.'),
    ...PAGES.inputs,
  }),
  answer: Type.Object({
    dead_letters: Type.Array(DeadLetter, { description: 'Records that broke a rule.' }),
    next_before: PAGES.next_before,
  }),
  heavy: true,
  async run({ pool }, { all = false, ...input }) {
    const { entries, next_before } = await PAGES.read(input, async (limit, before) => {
      return await engine.findDeadLetters(pool(ROLES.operator), input, { limit, before, all });
    });
    return { answer: { dead_letters: entries, next_before } };
  },
});

export const summarizeDeadLetters = operation({
  name: 'dead-letters.summary',
  path: '/dead-letters/summary',
  summary: 'Count dead letters by reason and field',
  description: 'The open dead letters in groups, the largest groups first; at most 1,000 groups.',
  input: Type.Object({ ...filterFields, all: Flag('whether to count settled dead letters too.') }),
  answer: Type.Object({ groups: Type.Array(DeadLetterGroup, { description: 'The groups, the largest first.' }) }),
  heavy: true,
  async run({ pool }, { all = false, ...filter }) {
    return { answer: { groups: await engine.groupDeadLetters(pool(ROLES.operator), filter, all) } };
  },
});

export const showDeadLetter = operation({
  name: 'dead-letters.show',
  path: '/dead-letters/:id',
  summary: 'Show a dead letter',
  description:
    "The reason for the refusal, the record's source, and the record's first bytes. `GET /dead-letters/{id}/record` streams all bytes.",
  input: Type.Object({ id: Id('An id from the list of dead letters.') }),
  answer: Type.Object({
    ...deadLetterFields,
    raw_base64: nullable(
      Type.String({
        contentEncoding: 'base64',
        description: `At most the first ${DEAD_LETTER_CHUNK_BYTES} bytes of the record; \`raw_bytes\` is its size. Null when the record had no value or its driver has been erased.`,
        examples: ['eyJraW5kIjoidHJpcC5wcm9jZXNzZWQi'],
      }),
    ),
  }),
  refusals: ['dead_letter_not_found'],
  async run({ pool }, { id }) {
    const letters = engine.selectDeadLetters(pool(ROLES.operator));
    const found = await letters.select('letter.raw').where('letter.dead_letter_id', '=', id).executeTakeFirst();
    if (!found) throw new Refusal({ code: 'dead_letter_not_found', id });
    const { raw, ...deadLetter } = found;
    return { answer: { ...deadLetter, raw_base64: raw?.toString('base64') ?? null } };
  },
});

/** A record as its size and its bytes, which are read chunk by chunk, because there may be hundreds of megabytes. */
type OpenRecord = NonNullable<Awaited<ReturnType<typeof engine.openRecord>>>;

/**
 * The command `milepost dead-letters show --raw` calls this operation, which has no command of its own. It is not among
 * `operations`, because its response is a stream, which `apps/ops/record-route.ts` sends without a time limit.
 */
export const openRecord = operation({
  name: 'dead-letters.record',
  path: '/dead-letters/:id/record',
  summary: 'Download the record of a dead letter',
  description:
    'All bytes of the record. The response is empty when the record had no value, or when its driver was erased.',
  input: showDeadLetter.input,
  answer: Type.Unsafe<OpenRecord>({ type: 'string', contentMediaType: 'application/octet-stream' }),
  refusals: ['dead_letter_not_found'],
  async run({ pool }, { id }) {
    const record = await engine.openRecord(pool(ROLES.operator), id);
    if (record) return { answer: record };
    throw new Refusal({ code: 'dead_letter_not_found', id });
  },
});

/**
 * Returns why a fleet's record cannot be stored in the lane that contains its dead letter; null when it can. The dead
 * letter may be outside the fleet's lane, because an earlier release may not have found the fleet in the record.
 */
async function misplacementOf({ directory, lane }: OperationContext, fleetId: string): Promise<string | null> {
  const home = await findHomeOfFleet(directory, fleetId);
  if (home === lane) return null;
  const place = home === null ? 'which has no lane yet' : `which is in lane ${home}`;
  return `The record is about fleet ${fleetId}, ${place}: publish it again, or ingest it as a file.`;
}

const MAX_SKIPPED = 1_000_000;

export const retry = operation({
  name: 'dead-letters.retry',
  arguments: ['ids'],
  path: '/dead-letters/retry',
  summary: 'Retry dead letters',
  description: `Tries again to store the same bytes under this release's rules, in the order of source and offset. One request retries at most ${engine.MAX_DEAD_LETTERS} dead letters.`,
  input: Type.Object({
    ...choiceFields,
    skip: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_SKIPPED,
        default: 0,
        description: `0 to ${MAX_SKIPPED}: with \`all_open\`, the number of dead letters to skip at the beginning, which is \`next_skip\` from the previous response.`,
      }),
    ),
  }),
  inputErrors: choiceErrors,
  answer: Type.Object({
    results: Type.Array(
      Type.Object({
        id: WholeNumber('The id of the dead letter.', 12),
        outcome: OneOf(
          ['stored', 'duplicate', 'refused', 'not_open'],
          '`refused`: the record still breaks a rule, and the dead letter remains open. `not_open`: the dead letter does not exist or has already been settled.',
        ),
        message: nullable(Text('The reason for the refusal.', 'The field /trip_start_time is missing.')),
      }),
      { description: 'The result for each dead letter, in the order of the retries.' },
    ),
    left,
    next_skip: WholeNumber(
      'The value of `skip` for the next request, so that it skips the dead letters refused so far.',
      0,
    ),
  }),
  change: 'recorded',
  heavy: true,
  async run(context, { ids, all_open, skip = 0, ...filter }) {
    const operator = context.pool(ROLES.operator);
    const chosen = ids ?? (await engine.firstOpenIds(operator, filter, skip));
    const results = await retryDeadLetters(context.pool(ROLES.ingest), chosen, (fleetId) =>
      misplacementOf(context, fleetId),
    );
    const detail = retriedInWords(results);
    if (!all_open) return { answer: { results, left: 0, next_skip: 0 }, detail };
    const next_skip = skip + results.filter(({ outcome }) => outcome === 'refused').length;
    const open = await engine.countOpenDeadLetters(operator, filter);
    return { answer: { results, left: Math.max(0, open - next_skip), next_skip }, detail };
  },
});

export const discard = operation({
  name: 'dead-letters.discard',
  arguments: ['ids'],
  path: '/dead-letters/discard',
  summary: 'Discard dead letters',
  description: `Settles dead letters with a note, without storing their records. Their rows and bytes are kept. One request discards at most ${engine.MAX_DEAD_LETTERS} dead letters.`,
  input: Type.Object({
    ...choiceFields,
    note: Reason('a reason of 1 to 1,000 characters, which is kept permanently.'),
  }),
  inputErrors: choiceErrors,
  answer: Type.Object({
    discarded: Type.Array(Type.Integer(), {
      description: 'The ids of the dead letters that were open and are now discarded.',
    }),
    not_open: Type.Array(Type.Integer(), {
      description: 'The `ids` of dead letters that do not exist or have already been settled.',
    }),
    left,
  }),
  change: 'recorded',
  heavy: true,
  async run({ pool }, { ids, all_open, note, ...filter }) {
    const operator = pool(ROLES.operator);
    const chosen = ids ?? (await engine.firstOpenIds(operator, filter));
    const discarded = await engine.discardDeadLetters(operator, chosen, note);
    const settled = new Set(discarded);
    const not_open = all_open ? [] : [...new Set(chosen)].filter((id) => !settled.has(id));
    const remaining = all_open ? await engine.countOpenDeadLetters(operator, filter) : 0;
    return { answer: { discarded, not_open, left: remaining }, detail: discardedInWords(discarded) };
  },
});

export const operations = [listDeadLetters, summarizeDeadLetters, showDeadLetter, retry, discard];
