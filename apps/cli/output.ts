import { styleText } from 'node:util';

type Format = 'bold' | 'red' | 'yellow' | 'green';

/** Returns a string in a style if the stream is a terminal with colours; NO_COLOR and FORCE_COLOR take precedence. */
export function styled(format: Format, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(format, text, { stream });
}

/** Writes a sentence to stderr, so that a program that reads the result does not read it. */
export function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** Writes a result to stdout, as one or more lines. */
export function printText(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Writes a result to stdout for programs, as one indented JSON document. */
export function printJson(value: unknown): void {
  printText(JSON.stringify(value, null, 2));
}

/** Returns a count with its noun, whose plural ends in `s`, such as `1 trip` or `2 trips`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

type Cell = string | number | null;

/**
 * Replaces control characters except line breaks, because they could move a terminal's cursor, ring its bell or change
 * its colours.
 */
export function replaceControlCharacters(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, '?');
}

function textOf(value: Cell): string {
  // A line break would forge a row.
  return value === null ? '-' : replaceControlCharacters(String(value)).replaceAll('\n', '?');
}

/**
 * Returns the lines of a compact table. Numbers are aligned right and other values left; null is shown as `-`. Exported
 * for tests.
 */
export function tableLines(header: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  const texts = [header, ...rows.map((row) => row.map(textOf))];
  const widths = header.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  const isNumeric = header.map((_, column) => rows.some((row) => typeof row[column] === 'number'));
  return texts.map((row) =>
    row
      .map((text, column) =>
        isNumeric[column] ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}

function print([header = '', ...rows]: readonly string[]): void {
  printText([styled('bold', header), ...rows].join('\n'));
}

/** Writes a table to stdout. */
export function printTable(header: readonly string[], rows: readonly (readonly Cell[])[]): void {
  print(tableLines(header, rows));
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'number') return Math.round(value * 10) / 10;
  return value === null || value === undefined || typeof value === 'string' ? (value ?? null) : JSON.stringify(value);
}

const inWords = (name: string) => name.replaceAll('_', ' ');

/** Returns the lines of a table that shows the given fields of the entries. The header contains the fields' names. */
export function fieldLines<Entry extends object>(
  entries: readonly Entry[],
  names: readonly (keyof Entry & string)[],
): string[] {
  return tableLines(
    names.map(inWords),
    entries.map((entry) => names.map((name) => cellOf(entry[name]))),
  );
}

/** Whether a value fits in one table cell. */
function isPlain(value: unknown): boolean {
  return [value].flat().every((each) => typeof each !== 'object' || each === null);
}

/** Returns the lines of a titled table of the entries' plain fields, followed by a table for each list in an entry. */
function listLines(title: string, entries: readonly Readonly<Record<string, unknown>>[]): string[] {
  const names = Object.keys(entries[0] ?? {}).filter((name) => entries.every((entry) => isPlain(entry[name])));
  const shown = names.filter((name) => entries.some((entry) => (entry[name] ?? null) !== null));
  const inside = entries.map((entry) =>
    Object.fromEntries(Object.entries(entry).filter(([name]) => !names.includes(name))),
  );
  return [
    '',
    `${title}:`,
    ...fieldLines(entries, shown),
    ...inside.flatMap((lists, index) => recordLines(lists, `${title} ${index + 1}, `)),
  ];
}

/**
 * Returns the lines for a record, without null or empty fields: its plain fields, and then a table for each list of
 * records.
 *
 * @param prefix the beginning of the tables' titles
 */
export function recordLines(record: object, prefix = ''): string[] {
  const fields: [string, unknown][] = Object.entries(record);
  const given = fields.filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0));
  const plain = given.filter(([, value]) => isPlain(value));
  const width = Math.max(...plain.map(([name]) => name.length));
  return [
    ...plain.map(([name, value]) => `${inWords(name).padEnd(width)}  ${textOf(cellOf(value))}`),
    ...given
      .filter(([, value]) => !isPlain(value))
      .flatMap(([name, value]) => listLines(`${prefix}${inWords(name)}`, [value].flat().map(Object))),
  ];
}

/** Writes a table with the given fields of the entries to stdout. */
export function printFields<Entry extends object>(
  entries: readonly Entry[],
  names: readonly (keyof Entry & string)[],
): void {
  print(fieldLines(entries, names));
}

/** Writes an empty line, a title and a table of the entries' given fields to stdout, or `none` if there are no entries. */
export function printSection<Entry extends object>(
  title: string,
  entries: readonly Entry[],
  names: readonly (keyof Entry & string)[],
): void {
  printText(`\n${title}:${entries.length === 0 ? ' none' : ''}`);
  if (entries.length > 0) printFields(entries, names);
}

const MAX_PREVIEW_BYTES = 2_000;

/**
 * Returns the start of a record as text that cannot control a terminal.
 *
 * @param bytes the record, or its start
 * @param rawBytes the size of the whole record
 */
export function preview(bytes: Buffer, rawBytes: number): string {
  const text = bytes
    .subarray(0, MAX_PREVIEW_BYTES)
    .toString('utf8')
    .replaceAll(/[^\P{Cc}\t\n]/gu, '\uFFFD');
  return rawBytes > MAX_PREVIEW_BYTES ? `${text}\n... (${rawBytes} bytes in all: --raw prints them)` : text;
}
