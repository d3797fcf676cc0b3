import type { Operation } from '@milepost/operations/operation';
import type { Command } from 'commander';
import { wholeNumber } from '../arguments.ts';
import type { Client } from '../client/client.ts';
import { printFields, printJson } from '../output.ts';

const MAX_LIMIT = 100_000;

export interface LimitOption {
  /** The maximum number of entries. Undefined means no maximum. */
  limit?: number;
  json?: true;
}

/** The inputs that select a page: the maximum number of entries and the id below which the page starts. */
interface Page {
  limit?: number;
  before?: number;
}

/** A list that a command shows. Several requests may be needed to read it. */
interface Listing<Entry> {
  /** The maximum number of entries in one response. If undefined, one response contains the whole list. */
  maxPageLength: number | undefined;
  read: (page: Page) => Promise<{ entries: readonly Entry[]; next_before: number | null }>;
  /** Converts an entry for `--json`. Without this function, the entry is printed unchanged. */
  asJson?: (entry: Entry) => Promise<object>;
  /** The plural noun of the entries, such as `replays`. */
  noun: string;
  print: (entries: readonly Entry[]) => void;
}

/** Adds the option that limits a list. The value may exceed what one request can return. */
export function addLimit(command: Command, defaultLength: number): Command {
  return command.option('--limit <number>', 'maximum number of entries', wholeNumber(1, MAX_LIMIT), defaultLength);
}

/** Prints a list (as an array with `--json`), and says which option shows the next entries. */
export async function printList<Entry>(
  { limit = Number.POSITIVE_INFINITY, json }: LimitOption,
  before: number | undefined,
  { maxPageLength, read, asJson, noun, print }: Listing<Entry>,
): Promise<void> {
  const entries: Entry[] = [];
  let next = before ?? null;
  do {
    const size = maxPageLength === undefined ? {} : { limit: Math.min(maxPageLength, limit - entries.length) };
    const page = await read({ ...size, ...(next === null ? {} : { before: next }) });
    entries.push(...page.entries);
    next = page.next_before;
  } while (next !== null && entries.length < limit);
  if (json) {
    const shown: unknown[] = [];
    for (const entry of entries) shown.push(asJson ? await asJson(entry) : entry);
    return printJson(shown);
  }
  if (entries.length === 0) return void process.stderr.write(`No ${noun}.\n`);
  print(entries);
  if (next !== null)
    process.stderr.write(`There are more than ${limit} ${noun}: --before ${next} shows the next page.\n`);
}

function propertiesOf(schema: object): Readonly<Record<string, object>> {
  return 'properties' in schema ? Object(schema.properties) : {};
}

/**
 * Finds the list in an operation's response. Returns it with the fields of its entries and with the maximum and default
 * length of a page, which are null if one response contains the whole list. Returns null if the response also contains
 * other fields, or if the list is not paged and its entries contain lists.
 */
export function listIn({ answer, input }: Operation) {
  const { next_before, ...others } = propertiesOf(answer);
  const [[name, list] = [], ...more] = Object.entries(others);
  if (name === undefined || list === undefined || more.length > 0 || !('items' in list)) return null;
  const fields = propertiesOf(Object(list.items));
  if (next_before === undefined) {
    const isFlat = Object.values(fields).every((field) => !('items' in field));
    return isFlat && Object.keys(fields).length > 0 ? { name, fields: Object.keys(fields), page: null } : null;
  }
  const { maximum = MAX_LIMIT, default: length = 50 }: { maximum?: number; default?: number } =
    input.properties['limit'] ?? {};
  return { name, fields: Object.keys(fields), page: { maximum, default: length } };
}

/** How a command's list differs from what the schema describes. */
export interface ListPresentation {
  /** The plural noun for the entries, if it differs from the list's name. */
  noun?: string;
  /** The table's columns, if it does not show all fields. */
  columns?: readonly string[];
  /** The default maximum number of entries, if it differs from the operation's. */
  defaultLimit?: number;
}

/** Prints the list in an operation's responses as a table. */
export async function printEntries(
  client: Client,
  operation: Operation,
  { before, ...input }: Record<string, unknown>,
  options: LimitOption,
  { noun, columns }: ListPresentation = {},
): Promise<void> {
  const { name, fields, page } = listIn(operation) ?? { name: '', fields: [], page: null };
  await printList<Record<string, unknown>>(options, typeof before === 'number' ? before : undefined, {
    maxPageLength: page?.maximum,
    async read(part) {
      const answer: Record<string, unknown> = Object((await client.call(operation, { ...input, ...part })).answer);
      const [entries, next] = [answer[name], answer['next_before']];
      return { entries: Array.isArray(entries) ? entries : [], next_before: typeof next === 'number' ? next : null };
    },
    noun: noun ?? name.replaceAll('_', ' '),
    print: (entries) => printFields(entries, columns ?? fields),
  });
}
