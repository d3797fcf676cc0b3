import type { Operation } from '@milepost/operations/operation';
import type { Command } from 'commander';
import { wholeNumber } from '../arguments.ts';
import type { Client } from '../client/client.ts';
import { printFields, printJson } from '../output.ts';

const MAX_LIMIT = 100_000;

export interface LimitOption {
  limit: number;
  json?: true;
  server?: string;
}

/** A list that a command shows. Reading it may need several requests. */
interface Listing<Entry> {
  /** The maximum number of entries in one answer. */
  maxPageLength: number;
  read: (page: { limit: number; before?: number }) => Promise<{
    entries: readonly Entry[];
    next_before: number | null;
  }>;
  /** Converts an entry for `--json`. Without this function, the entry is printed unchanged. */
  asJson?: (entry: Entry) => Promise<object>;
  /** The plural noun of the entries, such as `replays`. */
  noun: string;
  print: (entries: readonly Entry[]) => void;
}

/** Returns the inputs and options of a command that shows a list. Its limit may exceed the limit of one request. */
export function limited(defaultLength: number) {
  return {
    own: ['limit'],
    options: (command: Command) =>
      command.option('--limit <number>', 'maximum number of entries', wholeNumber(1, MAX_LIMIT), defaultLength),
  };
}

/** Prints a list (with `--json` as an array), and the option that shows the next entries. */
export async function printList<Entry>(
  { limit, json }: LimitOption,
  before: number | undefined,
  { maxPageLength, read, asJson, noun, print }: Listing<Entry>,
): Promise<void> {
  const entries: Entry[] = [];
  let next = before ?? null;
  do {
    const size = Math.min(maxPageLength, limit - entries.length);
    const page = await read({ limit: size, ...(next === null ? {} : { before: next }) });
    entries.push(...page.entries);
    next = page.next_before;
  } while (next !== null && entries.length < limit);
  if (json) {
    const shown: unknown[] = [];
    for (const entry of entries) shown.push(asJson ? await asJson(entry) : entry);
    return printJson(shown);
  }
  if (entries.length === 0) process.stderr.write(`No ${noun}.\n`);
  print(entries);
  if (next !== null)
    process.stderr.write(`There are more than ${limit} ${noun}: --before ${next} shows the next ones.\n`);
}

/**
 * Returns the name of the list in an answer, and the fields of its entries. Returns null if the answer is not a page of
 * a list.
 */
function listIn({ answer }: Operation): { name: string; fields: string[] } | null {
  const properties: Readonly<Record<string, object>> = 'properties' in answer ? Object(answer.properties) : {};
  const [name, list] = Object.entries(properties).find(([, schema]) => 'items' in schema) ?? [];
  if (name === undefined || list === undefined || !('next_before' in properties)) return null;
  return { name, fields: 'items' in list ? Object.keys(Object(list.items).properties) : [] };
}

/** Whether the answer of an operation is a page of a list. */
export function isList(operation: Operation): boolean {
  return listIn(operation) !== null;
}

/** Returns the default maximum length of a list. */
export function defaultLimit({ input }: Operation): number {
  const { default: length = 50 }: { default?: number } = input.properties['limit'] ?? {};
  return length;
}

/** Prints the list in the answer of an operation as a table, with all fields or only with the named fields. */
export async function printEntries(
  client: Client,
  operation: Operation,
  input: Record<string, unknown>,
  options: LimitOption,
  named?: readonly string[],
): Promise<void> {
  const { name, fields } = listIn(operation) ?? { name: '', fields: [] };
  const { maximum: maxPageLength = options.limit }: { maximum?: number } = operation.input.properties['limit'] ?? {};
  const { before } = input;
  await printList<Record<string, unknown>>(options, typeof before === 'number' ? before : undefined, {
    maxPageLength,
    async read(page) {
      const answer: Record<string, unknown> = Object((await client.call(operation, { ...input, ...page })).answer);
      const [entries, next] = [answer[name], answer['next_before']];
      return { entries: Array.isArray(entries) ? entries : [], next_before: typeof next === 'number' ? next : null };
    },
    noun: name.replaceAll('_', ' '),
    print: (entries) => printFields(entries, named ?? fields),
  });
}
