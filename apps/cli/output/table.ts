/** Characters that would move the cursor, ring or forge a line on the reader's terminal. */
const CONTROL_CHARACTERS = /\p{Cc}/gu;

function cell(value: string | number | null): string {
  return value === null ? '-' : String(value).replaceAll(CONTROL_CHARACTERS, '?');
}

/** Lines of a compact table: numbers to the right, everything else to the left, `-` for null. */
export function tableLines(
  header: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string[] {
  const texts = [header, ...rows.map((row) => row.map(cell))];
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

/** Writes a table to stdout. */
export function printTable(header: readonly string[], rows: readonly (readonly (string | number | null)[])[]): void {
  process.stdout.write(`${tableLines(header, rows).join('\n')}\n`);
}
