import type { Command } from 'commander';
import { wholeNumber } from '../arguments.ts';
import { printJson } from '../output/json.ts';
import { printTable } from '../output/table.ts';
import type { CommonOptions } from './command.ts';

interface Page<Entry> {
  entries: readonly Entry[];
  next_before: number | null;
}

export interface LimitOption extends CommonOptions {
  limit: number;
}

/** A list shown by a command, which may take several requests. */
interface Listing<Entry> {
  /** Most that one request answers with. */
  most: number;
  read: (page: { limit: number; before?: number }) => Promise<Page<Entry>>;
  /** An entry as `--json` prints it; as it is, unless it is said. */
  asJson?: (entry: Entry) => Promise<object>;
  /** What to say when there is nothing to list. */
  none: string;
  header: readonly string[];
  row: (entry: Entry) => (string | number | null)[];
}

/** The inputs and options of a command that shows a list: so many, however many a request takes. */
export function limited(most: number, usual: number) {
  return {
    own: ['limit'],
    options: (command: Command) => command.option('--limit <number>', 'at most so many', wholeNumber(1, most), usual),
  };
}

/** Prints a list, as an array for `--json`, and says where it goes on. */
export async function printList<Entry>(
  { limit, json }: LimitOption,
  before: number | undefined,
  { most, read, asJson, none, header, row }: Listing<Entry>,
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
  if (entries.length === 0) process.stderr.write(`${none}\n`);
  printTable(header, entries.map(row));
  if (next !== null) process.stderr.write(`There are more than ${limit}: --before ${next} shows the next ones.\n`);
}
