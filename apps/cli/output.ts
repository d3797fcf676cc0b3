import { styled } from './style.ts';

/** Writes a result for programs to stdout, as one indented JSON document. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Returns a count with its noun, whose plural ends in `s`, such as `1 trip` or `2 trips`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The value of a table cell. */
type Cell = string | number | null;

/** Characters that could move the cursor of a terminal, ring its bell or forge a line. */
const CONTROL_CHARACTERS = /\p{Cc}/gu;

function textOf(value: Cell): string {
  return value === null ? '-' : String(value).replaceAll(CONTROL_CHARACTERS, '?');
}

/** Returns the lines of a compact table, with numbers aligned right, other values left, and `-` for null. */
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
  process.stdout.write(`${[styled('bold', header), ...rows].join('\n')}\n`);
}

/** Writes a table to stdout. */
export function printTable(header: readonly string[], rows: readonly (readonly Cell[])[]): void {
  print(tableLines(header, rows));
}

/** Prints a warning on stderr. */
export function warn(sentence: string): void {
  process.stderr.write(`milepost: warning: ${styled('yellow', sentence, process.stderr)}\n`);
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'number') return Math.round(value * 10) / 10;
  return value === null || value === undefined || typeof value === 'string' ? (value ?? null) : JSON.stringify(value);
}

/** Returns the lines of a table with some fields of the entries. The header contains the names of the fields. */
export function fieldLines<Entry extends object>(
  entries: readonly Entry[],
  names: readonly (keyof Entry & string)[],
): string[] {
  const header = names.map((name) => name.replaceAll('_', ' '));
  return tableLines(
    header,
    entries.map((entry) => names.map((name) => cellOf(entry[name]))),
  );
}

/** Writes a table with some fields of the entries to stdout. */
export function printFields<Entry extends object>(
  entries: readonly Entry[],
  names: readonly (keyof Entry & string)[],
): void {
  print(fieldLines(entries, names));
}

const MAX_PREVIEW_BYTES = 2_000;

/** Control characters except tab and line feed. */
const UNPRINTABLE = /[^\P{Cc}\t\n]/gu;

/**
 * Returns the start of a record as text that cannot control a terminal.
 *
 * @param bytes the record, or its start
 * @param rawBytes the size of the whole record
 */
export function preview(bytes: Buffer, rawBytes: number): string {
  const text = bytes.subarray(0, MAX_PREVIEW_BYTES).toString('utf8').replaceAll(UNPRINTABLE, '\uFFFD');
  return rawBytes > MAX_PREVIEW_BYTES ? `${text}\n... (${rawBytes} bytes in all: --raw prints them)` : text;
}
