import { isBlank, type Line, readLines } from './lines.ts';
import { readBytes, sourceNameOf } from './open.ts';

/** If the first line is longer than this, it is not the beginning of indented JSON. */
const MAX_FIRST_LINE_BYTES = 4096;

/** The file's lines are not records, so the file was not ingested. */
export class NoRecordLinesError extends Error {
  override name = 'NoRecordLinesError';
}

/** Whether two lines are the beginning of one indented JSON text. No record, even a damaged one, begins like this. */
function isLaidOut(first: Line, second: Line): boolean {
  if (first.value.byteLength > MAX_FIRST_LINE_BYTES) return false;
  const [start, next] = [first, second].map(({ value }) => Buffer.from(value).toString().trim());
  if (start === '[') return /^["[{]/.test(next ?? '');
  return /^\{(?:.*[,{[])?$/.test(start ?? '') && /^"/.test(next ?? '');
}

/**
 * Yields a file's non-blank lines, each of which is one record.
 *
 * @param name the file, which is read as in `readBytes`
 * @throws NoRecordLinesError at the second line, if the file begins with one JSON text that is spread over several lines
 */
export async function* recordLines(
  name: string,
  signal: AbortSignal,
  onRead: (bytes: number) => void,
): AsyncGenerator<Line> {
  let first: Line | null = null;
  let lines = 0;
  for await (const line of readLines(readBytes(name, signal, onRead))) {
    if (line.refusal === undefined && isBlank(line.value)) continue;
    lines += 1;
    if (lines === 1) first = line;
    else if (first !== null) {
      if (isLaidOut(first, line)) {
        const file = sourceNameOf(name);
        const filter = Buffer.from(first.value).toString().trim() === '[' ? "'.[]'" : '.';
        throw new NoRecordLinesError(
          `${file} is JSON over several lines, but each record must be on a line of its own. \`jq -c ${filter} ${file}\` converts the file.`,
        );
      }
      first = null;
    }
    yield line;
  }
}
