import { pipeline } from 'node:stream/promises';
import { MAX_DEAD_LETTERS } from '@milepost/dead-letters';
import { isCalendarDate } from '@milepost/domain/calendar';
import type * as letters from '@milepost/operations/dead-letters';
import { InvalidArgumentError } from 'commander';
import type { Json } from '../client/client.ts';
import { preview, printFields, printJson, printTable, printText } from '../output.ts';
import { withProgressBar } from '../progress.ts';
import type { PresentationOf, Presentations } from './command.ts';

const SHOWN_RESULTS = 100;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Parses a day, which starts at midnight UTC, or a time with a time zone. The local time zone therefore has no effect.
 * Exported for tests.
 */
export function moment(text: string): string {
  const time = new Date(DAY.test(text) ? `${text}T00:00:00Z` : text);
  const isWritten = DAY.test(text) || TIME.test(text);
  // By itself, Date converts 30 February to a day in March.
  if (!isWritten || !isCalendarDate(text.slice(0, 10)) || Number.isNaN(time.getTime())) {
    throw new InvalidArgumentError('It must be a day such as 2025-01-31 (UTC) or a time such as 2025-01-31T08:00:00Z.');
  }
  return time.toISOString();
}

const FILTERS = { readers: { since: moment, until: moment } };

/** The columns of the dead-letter table. */
export const DEAD_LETTER_FIELDS = [
  'id',
  'received_at',
  'topic',
  'partition',
  'offset',
  'reason',
  'field',
  'resolution',
] as const;

/**
 * Sends requests, each of which processes a limited number of dead letters, until every dead letter that existed at the
 * start has been processed once. Exported for tests.
 */
export async function settleAll<Input, Answer extends { left: number }>(
  label: string,
  inputs: readonly Input[],
  ask: (input: Input, previous: Answer | null) => Promise<Answer>,
  count: (answer: Answer) => number,
): Promise<Answer[]> {
  return await withProgressBar(label, ' dead letters', async (update) => {
    const answers: Answer[] = [];
    for (const input of inputs) {
      let previous: Answer | null = null;
      let done = 0;
      let total: number;
      do {
        previous = await ask(input, previous);
        answers.push(previous);
        done += count(previous);
        // Ingest may add dead letters in the meantime. Without this fixed total, the loop might never end.
        total ??= done + previous.left;
        update(done, total);
      } while (previous.left > 0 && done < total);
    }
    return answers;
  });
}

type RetriedLetter = Json<Awaited<ReturnType<typeof letters.retry.run>>['answer']>['results'][number];

/** Prints all results if there are few, otherwise only those that need attention. */
function printRetried(results: readonly RetriedLetter[], count: (outcome: RetriedLetter['outcome']) => number): void {
  const needsAttention = ({ outcome }: RetriedLetter) => outcome === 'refused' || outcome === 'not_open';
  const shown = results.length > SHOWN_RESULTS ? results.filter(needsAttention).slice(0, SHOWN_RESULTS) : results;
  if (shown.length > 0) printFields(shown, ['id', 'outcome', 'message']);
  printText(
    `${results.length} retried: ${count('stored')} stored, ${count('duplicate')} duplicates, ${count('refused')} refused, ${count('not_open')} not open`,
  );
}

/** Splits ids into several inputs, because one request accepts a limited number. */
function splitIds(given: Record<string, unknown>): Record<string, unknown>[] {
  const { ids, ...others } = given;
  if (!Array.isArray(ids)) return [given];
  const count = Math.ceil(ids.length / MAX_DEAD_LETTERS);
  return Array.from({ length: count }, (_, part) => {
    return { ...others, ids: ids.slice(part * MAX_DEAD_LETTERS, (part + 1) * MAX_DEAD_LETTERS) };
  });
}

const CHOICE = { ...FILTERS, inputs: splitIds };

/** How the commands of `milepost dead-letters` present their results. */
export const presentations: Presentations = {
  'dead-letters.list': {
    ...FILTERS,
    columns: DEAD_LETTER_FIELDS,
    examples: [
      'milepost dead-letters list --reason invalid_field --field /events',
      'milepost dead-letters list --source milepost.trips --partition 3 --since 2025-01-31T08:00:00Z --all',
    ],
  } satisfies PresentationOf<typeof letters.listDeadLetters>,
  'dead-letters.summary': {
    ...FILTERS,
    noun: 'dead letters',
    examples: ['milepost dead-letters summary', 'milepost dead-letters summary --since 2025-01-31 --fleet acme'],
  } satisfies PresentationOf<typeof letters.summarizeDeadLetters>,
  'dead-letters.show': {
    options: (command) => command.option('--raw', "print the record's bytes and nothing else"),
    json: 'all fields, with at most 256 KiB of the record as base64 in raw_base64',
    examples: ['milepost dead-letters show 17', 'milepost dead-letters show 17 --raw > record.json'],
    async run({ call, client, input }, { json, raw }) {
      if (raw) return await pipeline(client.readRecord(input.id), process.stdout, { end: false });
      const { raw_base64, ...letter } = (await call()).answer;
      const bytes = raw_base64 === null ? null : Buffer.from(raw_base64, 'base64');
      if (json) return printJson({ ...letter, raw_base64 });
      printTable(['field', 'value'], Object.entries(letter));
      printText(`\n${bytes === null ? '(The record had no value.)' : preview(bytes, letter.raw_bytes ?? 0)}`);
    },
  } satisfies PresentationOf<typeof letters.showDeadLetter, { raw?: true }>,
  'dead-letters.retry': {
    ...CHOICE,
    own: ['skip'],
    json: '[{id, outcome, message}]',
    examples: ['milepost dead-letters retry 17 18', 'milepost dead-letters retry --all-open --reason start_in_future'],
    async run({ call, inputs }, { json }) {
      const answers = await settleAll(
        'Retrying',
        inputs,
        async (input, previous: { left: number; next_skip: number; results: RetriedLetter[] } | null) => {
          return (await call({ ...input, ...(previous === null ? {} : { skip: previous.next_skip }) })).answer;
        },
        ({ results }) => results.length,
      );
      const results = answers.flatMap((answer) => answer.results);
      const count = (wanted: RetriedLetter['outcome']) => results.filter(({ outcome }) => outcome === wanted).length;
      if (json) printJson(results);
      else printRetried(results, count);
      const left = count('refused') + count('not_open');
      if (left > 0) throw new Error(`${left} of ${results.length} dead letters could not be stored.`);
    },
  } satisfies PresentationOf<typeof letters.retry>,
  'dead-letters.discard': {
    ...CHOICE,
    json: '{discarded: [id]}',
    examples: [
      'milepost dead-letters discard 17 18 --note "test data from the pipeline"',
      'milepost dead-letters discard --all-open --fleet test-fleet --note "test data from the pipeline"',
    ],
    async run({ call, inputs }, { json }) {
      const ask = async (input: (typeof inputs)[number]) => (await call(input)).answer;
      const answers = await settleAll('Discarding', inputs, ask, ({ discarded }) => discarded.length);
      const discarded = answers.flatMap((answer) => answer.discarded).sort((left, right) => left - right);
      if (json) printJson({ discarded });
      else printText(`${discarded.length} discarded`);
      const others = answers.flatMap(({ not_open }) => not_open);
      if (others.length > 0) throw new Error(`These dead letters are not open, or do not exist: ${others.join(', ')}.`);
    },
  } satisfies PresentationOf<typeof letters.discard>,
};
