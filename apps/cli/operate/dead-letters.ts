import * as letters from '@milepost/operations/dead-letters';
import { MOST_LETTERS } from '@milepost/operations/dead-letters/letters';
import { type Command, InvalidArgumentError } from 'commander';
import { preview, printFields, printJson, printTable } from '../output.ts';
import { withProgressBar } from '../progress.ts';
import type { Json } from './client.ts';
import { addOperation } from './command.ts';
import { type LimitOption, limited, printEntries } from './lists.ts';

const SHOWN_RESULTS = 100;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * A moment: a day, which begins at midnight UTC, or a time with its zone, so that nobody's local time creeps in.
 * Exported for tests.
 */
export function moment(text: string): string {
  const time = new Date(DAY.test(text) ? `${text}T00:00:00Z` : text);
  // Date rolls 30 February over into March instead of refusing it.
  const isRolledOver = DAY.test(text) && !Number.isNaN(time.getTime()) && !time.toISOString().startsWith(text);
  if (!(DAY.test(text) || TIME.test(text)) || Number.isNaN(time.getTime()) || isRolledOver) {
    throw new InvalidArgumentError('It must be a day such as 2025-01-31 (UTC) or a time such as 2025-01-31T08:00:00Z.');
  }
  return time.toISOString();
}

const FILTERS = { readers: { since: moment, until: moment } };

/** What a table shows of dead letters: not their bytes, nor what is wrong with them in full. */
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

function addLooks(program: Command): void {
  addOperation(program, letters.listDeadLetters, {
    ...FILTERS,
    ...limited(100),
    json: 'an array with all fields',
    examples: [
      'milepost dead-letters list --reason invalid_field --field /events',
      'milepost dead-letters list --source milepost.trips --partition 3 --since 2025-01-31T08:00:00Z --all',
    ],
    run: async ({ client, input }, options: LimitOption) =>
      await printEntries(client, letters.listDeadLetters, input, options, DEAD_LETTER_FIELDS),
  });
  addOperation(program, letters.summarizeDeadLetters, {
    ...FILTERS,
    json: '[{reason, field, dead_letters, first_received_at, last_received_at, newest_id}]',
    examples: ['milepost dead-letters summary', 'milepost dead-letters summary --since 2025-01-31 --fleet acme'],
    async run({ call }, { json }) {
      const { groups } = (await call()).answer;
      if (json) return printJson(groups);
      if (groups.length === 0) return void process.stderr.write('No dead letters.\n');
      printFields(groups, ['reason', 'field', 'dead_letters', 'first_received_at', 'last_received_at', 'newest_id']);
    },
  });
  addOperation(program, letters.showDeadLetter, {
    options: (command) => command.option('--raw', "print the record's bytes and nothing else"),
    json: 'all fields, the record as base64 in raw_base64',
    examples: ['milepost dead-letters show 17', 'milepost dead-letters show 17 --raw > record.json'],
    async run({ call }, { json, raw }: { json?: true; raw?: true }) {
      const { raw_base64, ...letter } = (await call()).answer;
      const bytes = raw_base64 === null ? null : Buffer.from(raw_base64, 'base64');
      if (raw) return void process.stdout.write(bytes ?? '');
      if (json) return printJson({ ...letter, raw_base64 });
      printTable(['field', 'value'], Object.entries(letter));
      process.stdout.write(`\n${bytes === null ? '(The record had no value.)' : preview(bytes)}\n`);
    },
  });
}

/** Asks again and again, as one request settles only so many, until all that were there at the start had their turn. */
async function settleAll<Input, Answer extends { left: number }>(
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
        // Ingest goes on meanwhile; without an end, so would this.
        total ??= done + previous.left;
        update(done, total);
      } while (previous.left > 0 && done < total);
    }
    return answers;
  });
}

type RetriedLetter = Json<Awaited<ReturnType<typeof letters.retry.run>>['answer']>['results'][number];

/** Few results are all shown; of many, those that need somebody's attention come first. */
function printRetried(results: readonly RetriedLetter[], count: (outcome: RetriedLetter['outcome']) => number): void {
  const isLeft = ({ outcome }: RetriedLetter) => outcome === 'refused' || outcome === 'not_open';
  const shown = results.length > SHOWN_RESULTS ? results.filter(isLeft).slice(0, SHOWN_RESULTS) : results;
  if (shown.length > 0) printFields(shown, ['id', 'outcome', 'message']);
  process.stdout.write(
    `${results.length} tried: ${count('stored')} stored, ${count('duplicate')} duplicates, ${count('refused')} refused, ${count('not_open')} not open\n`,
  );
}

/** Ids as several inputs, as one request takes only so many. */
function inParts(given: Record<string, unknown>): Record<string, unknown>[] {
  const { ids, ...others } = given;
  if (!Array.isArray(ids)) return [given];
  const count = Math.ceil(ids.length / MOST_LETTERS);
  return Array.from({ length: count }, (_, part) => {
    return { ...others, ids: ids.slice(part * MOST_LETTERS, (part + 1) * MOST_LETTERS) };
  });
}

function addSettling(program: Command): void {
  const choice = { ...FILTERS, inputs: inParts };
  addOperation(program, letters.retry, {
    ...choice,
    own: ['skip'],
    json: '[{id, outcome, message}]',
    examples: ['milepost dead-letters retry 17 18', 'milepost dead-letters retry --all-open --reason start_in_future'],
    async run({ call, inputs }, { json }) {
      const answers = await settleAll(
        'Trying again',
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
  });
  addOperation(program, letters.discard, {
    ...choice,
    json: '{discarded: [id]}',
    examples: [
      'milepost dead-letters discard 17 18 --note "test data of the pipeline"',
      'milepost dead-letters discard --all-open --fleet test-fleet --note "test data of the pipeline"',
    ],
    async run({ call, inputs }, { json }) {
      const ask = async (input: (typeof inputs)[number]) => (await call(input)).answer;
      const answers = await settleAll('Discarding', inputs, ask, ({ discarded }) => discarded.length);
      const discarded = answers.flatMap((answer) => answer.discarded).sort((left, right) => left - right);
      if (json) printJson({ discarded });
      else process.stdout.write(`${discarded.length} discarded\n`);
      const others = answers.flatMap(({ not_open }) => not_open);
      if (others.length > 0) throw new Error(`Not open, or not there at all: ${others.join(', ')}.`);
    },
  });
}

/** `milepost dead-letters`: the records that could not be stored as they are. */
export function present(program: Command): void {
  addLooks(program);
  addSettling(program);
}
