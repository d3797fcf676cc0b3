import type { Operation } from '@milepost/operations/operation';
import type { Command } from 'commander';
import { wholeNumber } from '../arguments.ts';
import { printFields, printJson } from '../output.ts';
import type { Client } from './client.ts';

const LARGEST_LIMIT = 100_000;

export interface LimitOption {
  limit: number;
  json?: true;
  server?: string;
}

/** A list shown by a command, which may take several requests. */
interface Listing<Entry> {
  /** Most that one request answers with. */
  most: number;
  read: (page: { limit: number; before?: number }) => Promise<{
    entries: readonly Entry[];
    next_before: number | null;
  }>;
  /** An entry as `--json` prints it; as it is, unless it is said. */
  asJson?: (entry: Entry) => Promise<object>;
  /** What is listed, such as `replays`. */
  what: string;
  print: (entries: readonly Entry[]) => void;
}

/** The inputs and options of a command that shows a list: so many, however many a request takes. */
export function limited(usual: number) {
  return {
    own: ['limit'],
    options: (command: Command) =>
      command.option('--limit <number>', 'at most so many', wholeNumber(1, LARGEST_LIMIT), usual),
  };
}

/** Prints a list, as an array for `--json`, and says where it goes on. */
export async function printList<Entry>(
  { limit, json }: LimitOption,
  before: number | undefined,
  { most, read, asJson, what, print }: Listing<Entry>,
): Promise<void> {
  const entries: Entry[] = [];
  let next = before ?? null;
  do {
    const size = Math.min(most, limit - entries.length);
    const page = await read({ limit: size, ...(next === null ? {} : { before: next }) });
    entries.push(...page.entries);
    next = page.next_before;
  } while (next !== null && entries.length < limit);
  if (json) {
    const shown: unknown[] = [];
    for (const entry of entries) shown.push(asJson ? await asJson(entry) : entry);
    return printJson(shown);
  }
  if (entries.length === 0) process.stderr.write(`No ${what}.\n`);
  print(entries);
  if (next !== null) process.stderr.write(`There are more than ${limit}: --before ${next} shows the next ones.\n`);
}

/** The list in an answer: its name, and its entries' fields; null where the answer is no list that goes on. */
function listIn({ answer }: Operation): { name: string; fields: string[] } | null {
  const properties: Readonly<Record<string, object>> = 'properties' in answer ? Object(answer.properties) : {};
  const [name, list] = Object.entries(properties).find(([, schema]) => 'items' in schema) ?? [];
  if (name === undefined || list === undefined || !('next_before' in properties)) return null;
  return { name, fields: 'items' in list ? Object.keys(Object(list.items).properties) : [] };
}

/** Whether an operation answers with a list that goes on. */
export function isList(operation: Operation): boolean {
  return listIn(operation) !== null;
}

/** How many a list shows unless it is told. */
export function usualLimit({ input }: Operation): number {
  const { default: usual = 50 }: { default?: number } = input.properties['limit'] ?? {};
  return usual;
}

/** Prints the list that an operation answers with as a table, of all its fields unless some are named. */
export async function printEntries(
  client: Client,
  operation: Operation,
  input: Record<string, unknown>,
  options: LimitOption,
  named?: readonly string[],
): Promise<void> {
  const { name, fields } = listIn(operation) ?? { name: '', fields: [] };
  const { maximum: most = options.limit }: { maximum?: number } = operation.input.properties['limit'] ?? {};
  const { before } = input;
  await printList<Record<string, unknown>>(options, typeof before === 'number' ? before : undefined, {
    most,
    async read(page) {
      const answer: Record<string, unknown> = Object((await client.call(operation, { ...input, ...page })).answer);
      const [entries, next] = [answer[name], answer['next_before']];
      return { entries: Array.isArray(entries) ? entries : [], next_before: typeof next === 'number' ? next : null };
    },
    what: name.replaceAll('_', ' '),
    print: (entries) => printFields(entries, named ?? fields),
  });
}
