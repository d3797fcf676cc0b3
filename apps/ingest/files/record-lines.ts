import { isBlank, type Line, readLines } from './lines.ts';
import { openRecordFile } from './open.ts';

/** If the first line is longer than this, it is not the beginning of indented JSON. */
const MAX_FIRST_LINE_BYTES = 4096;

/** The file's lines are not records, so the file was not ingested. */
export class NoRecordLinesError extends Error {
  override name = 'NoRecordLinesError';
}

/** Whether two lines are the beginning of one indented JSON text. No record, even a damaged one, begins like this. */
function isLaidOut(first: Line, second: Line): boolean {
  if (first.bytes.byteLength > MAX_FIRST_LINE_BYTES) return false;
  const [start, next] = [first, second].map(({ bytes }) => Buffer.from(bytes).toString().trim());
  if (start === '[') return /^["[{]/.test(next ?? '');
  return /^\{(?:.*[,{[])?$/.test(start ?? '') && /^"/.test(next ?? '');
}

/**
 * Yields the file's non-blank lines, each of which is one record.
 *
 * @throws NoRecordLinesError when the file begins with one JSON text that is spread over several lines
 */
async function* recordLines(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let first: Line | null = null;
  let isKnown = false;
  try {
    for await (const line of readLines(bytes)) {
      if (line.refusal === undefined && isBlank(line.bytes)) continue;
      if (first === null && !isKnown) {
        first = line;
        continue;
      }
      if (first !== null) {
        if (isLaidOut(first, line)) {
          const filter = Buffer.from(first.bytes).toString().trim() === '[' ? "'.[]'" : '.';
          throw new NoRecordLinesError(
            `${name} is JSON over several lines, but each record must be on a line of its own. \`jq -c ${filter} ${name}\` converts the file.`,
          );
        }
        yield first;
        first = null;
        isKnown = true;
      }
      yield line;
    }
  } catch (error) {
    // The first line was read before the error and is valid.
    if (first !== null && !(error instanceof NoRecordLinesError)) yield first;
    throw error;
  }
  if (first !== null) yield first;
}

/** Opens a file of records as `openRecordFile` does and reads it line by line. */
export async function openRecordLines(
  name: string,
  signal: AbortSignal,
  onRead: (bytes: number) => void,
): Promise<{ name: string; lines: AsyncGenerator<Line> }> {
  const file = await openRecordFile(name, signal, onRead);
  return { name: file.name, lines: recordLines(file.name, file.bytes) };
}
