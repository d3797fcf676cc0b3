import type { Operation } from '@milepost/operations/operation';
import type { Command } from 'commander';
import { wholeNumber } from '../arguments.ts';
import type { Client } from '../client/client.ts';
import { printFields, printJson, say } from '../output.ts';

const MAX_LIMIT = 100_000;

export interface LimitOption {
  /** The maximum number of entries. Undefined means no maximum. */
  limit?: number;
  json?: true;
}

/** Adds the option that limits a list. The value may exceed what one request can return. */
export function addLimit(command: Command, defaultLength: number): Command {
  return command.option('--limit <number>', 'maximum number of entries', wholeNumber(1, MAX_LIMIT), defaultLength);
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

/** The type of the entries of the list in a response. */
export type EntryOf<Answer> =
  Answer extends Record<string, infer Value> ? (Value extends readonly (infer Entry)[] ? Entry : never) : never;

/** How a command's list differs from what the schema describes. */
export interface ListPresentation<Entry> {
  /** The plural noun for the entries, if it differs from the list's name. */
  noun?: string;
  /** The table's columns, if it does not show all fields. */
  columns?: readonly string[];
  /** The default maximum number of entries, if it differs from the operation's. */
  defaultLimit?: number;
  /** Prints the entries. Without this function, they are printed as a table. */
  printList?(entries: readonly Entry[]): void;
  /** Converts an entry for `--json`. Without this function, the entry is printed unchanged. */
  asJson?(entry: Entry, client: Client): Promise<object>;
}

/**
 * Prints the list in an operation's responses as a table (as an array with `--json`), and says which option shows the
 * next entries. Reading the list may take several requests.
 */
export async function printEntries<Entry>(
  client: Client,
  operation: Operation,
  { before = null, ...input }: Record<string, unknown>,
  { limit = Number.POSITIVE_INFINITY, json }: LimitOption,
  { noun, columns, printList, asJson }: ListPresentation<Entry> = {},
): Promise<void> {
  const { name, fields, page } = listIn(operation) ?? { name: '', fields: [], page: null };
  const entries: Entry[] = [];
  let next = before;
  do {
    const size = page === null ? {} : { limit: Math.min(page.maximum, limit - entries.length) };
    const { answer } = await client.call(operation, { ...input, ...size, ...(next === null ? {} : { before: next }) });
    const { [name]: read = [], next_before = null } = Object(answer);
    entries.push(...read);
    next = next_before;
  } while (next !== null && entries.length < limit);
  if (json) return printJson(await Array.fromAsync(entries, (entry) => (asJson ? asJson(entry, client) : entry)));
  const nouns = noun ?? name.replaceAll('_', ' ');
  if (entries.length === 0) return say(`No ${nouns}.`);
  if (printList) printList(entries);
  else printFields(entries.map(Object), columns ?? fields);
  if (next !== null) say(`There are more than ${limit} ${nouns}: --before ${next} shows the next page.`);
}
