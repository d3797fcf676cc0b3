import { styled } from './style.ts';

/** Writes a result for programs to stdout: one JSON document, readable by people too. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** What a cell of a table holds. */
type Cell = string | number | null;

/** Characters that would move the cursor, ring or forge a line on the reader's terminal. */
const CONTROL_CHARACTERS = /\p{Cc}/gu;

function textOf(value: Cell): string {
  return value === null ? '-' : String(value).replaceAll(CONTROL_CHARACTERS, '?');
}

/** Lines of a compact table: numbers to the right, everything else to the left, `-` for null. */
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

/** Tells on stderr what is odd and done all the same. */
export function warn(sentence: string): void {
  process.stderr.write(`milepost: warning: ${styled('yellow', sentence, process.stderr)}\n`);
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'number') return Math.round(value * 10) / 10;
  return value === null || value === undefined || typeof value === 'string' ? (value ?? null) : JSON.stringify(value);
}

/** Lines of a table of some fields of entries, under the fields' names. */
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

/** Writes a table of some fields of entries to stdout. */
export function printFields<Entry extends object>(
  entries: readonly Entry[],
  names: readonly (keyof Entry & string)[],
): void {
  print(fieldLines(entries, names));
}

const LIMIT_BYTES = 2_000;

/** Everything that is no plain text: control characters but for tab and line end, and marks of broken UTF-8. */
const UNPRINTABLE = /[^\P{Cc}\t\n]/gu;

/** The beginning of a record as text that does nothing to a terminal, whatever the bytes. */
export function preview(bytes: Buffer): string {
  const text = bytes.subarray(0, LIMIT_BYTES).toString('utf8').replaceAll(UNPRINTABLE, '\uFFFD');
  return bytes.length > LIMIT_BYTES ? `${text}\n... (${bytes.length} bytes in all: --raw prints them)` : text;
}
