import { exactJson } from '@milepost/domain/exact-json';
import type { Cell, Row } from '@milepost/projections/exports';

/** Even an id that starts with `=` is written unchanged, because an export contains the same ids as the API. */
function csvField(value: Cell): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const csvLine = (cells: readonly Cell[]) => `${cells.map(csvField).join(',')}\r\n`;

/** Yields a CSV file (RFC 4180) with a header line, one chunk per page. */
export async function* csvChunks(names: readonly string[], pages: AsyncIterable<readonly Row[]>) {
  yield csvLine(names);
  for await (const rows of pages) yield rows.map((row) => csvLine(names.map((name) => row[name] ?? null))).join('');
}

function jsonLine(names: readonly string[], row: Row): string {
  return `${exactJson(Object.fromEntries(names.map((name) => [name, row[name] ?? null])))}\n`;
}

/** Yields one JSON object per line, one chunk per page. */
export async function* ndjsonChunks(names: readonly string[], pages: AsyncIterable<readonly Row[]>) {
  for await (const rows of pages) yield rows.map((row) => jsonLine(names, row)).join('');
}
