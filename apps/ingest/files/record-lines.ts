import { isBlank, type Line, readLines } from './lines.ts';
import { openRecordFile } from './open.ts';

/** A line that is longer begins no JSON that was laid out for reading. */
const LONGEST_FIRST_LINE_BYTES = 4096;

/** A file whose lines are no records: nothing was read of it. */
export class NoRecordLinesError extends Error {
  override name = 'NoRecordLinesError';
}

/** Whether two lines begin one JSON text that goes over many, as tools lay it out: no record, however broken, begins so. */
function isLaidOut(first: Line, second: Line): boolean {
  if (first.bytes.byteLength > LONGEST_FIRST_LINE_BYTES) return false;
  const [start, next] = [first, second].map(({ bytes }) => Buffer.from(bytes).toString().trim());
  if (start === '[') return /^["[{]/.test(next ?? '');
  return /^\{(?:.*[,{[])?$/.test(start ?? '') && /^"/.test(next ?? '');
}

/**
 * The lines of a file that are not blank: a record each.
 *
 * @throws NoRecordLinesError when it begins as one JSON text laid out over several lines
 */
async function* recordLines(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let first: Line | null = null;
  let isKnown = false;
  try {
    for await (const line of readLines(bytes)) {
      if (isBlank(line.bytes)) continue;
      if (first === null && !isKnown) {
        first = line;
        continue;
      }
      if (first !== null) {
        if (isLaidOut(first, line)) {
          const filter = Buffer.from(first.bytes).toString().trim() === '[' ? "'.[]'" : '.';
          throw new NoRecordLinesError(
            `${name} is JSON over several lines, but each record must stand on a line of its own: \`jq -c ${filter} ${name}\` writes it so.`,
          );
        }
        yield first;
        first = null;
        isKnown = true;
      }
      yield line;
    }
  } catch (error) {
    // What was read before the damage comes before it.
    if (first !== null && !(error instanceof NoRecordLinesError)) yield first;
    throw error;
  }
  if (first !== null) yield first;
}

/** Opens a file of records as `openRecordFile` does, to be read line by line. */
export async function openRecordLines(
  name: string,
  onRead: (bytes: number) => void,
): Promise<{ name: string; lines: AsyncGenerator<Line> }> {
  const file = await openRecordFile(name, onRead);
  return { name: file.name, lines: recordLines(file.name, file.bytes) };
}
