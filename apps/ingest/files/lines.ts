import { type FetchedRecord, keptOf, refuseTooLong } from '@milepost/domain/records';

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

function withoutMark(bytes: Uint8Array): Uint8Array {
  const start = bytes.subarray(0, BYTE_ORDER_MARK.byteLength);
  return BYTE_ORDER_MARK.equals(start) ? bytes.subarray(start.byteLength) : bytes;
}

/** A line of a file, without its line break. The offset is the number of the line, counted from 1. */
export interface Line extends FetchedRecord {
  value: Uint8Array;
}

/** The line that is being read. */
class OpenLine {
  #parts: Uint8Array[] = [];
  length = 0;

  /** Keeps only the beginning of an overlong line, so that a file without line breaks cannot exhaust the memory. */
  add(part: Uint8Array): void {
    const wasKept = this.#isKept();
    this.length += part.byteLength;
    if (this.#isKept()) this.#parts.push(part);
    else if (wasKept) this.#parts = [Buffer.concat([...this.#parts, part], keptOf(this.length))];
  }

  end(offset: number): Line {
    const [first] = this.#parts;
    const whole = first && this.#parts.length === 1 ? first : Buffer.concat(this.#parts);
    const value = offset === 1 ? withoutMark(whole) : whole;
    return this.#isKept()
      ? { offset, value }
      : { offset, value, refusal: refuseTooLong(this.length, value.byteLength) };
  }

  #isKept(): boolean {
    return keptOf(this.length) === this.length;
  }
}

/**
 * Splits a stream of bytes into lines, after skipping any byte order mark at the start. The last line does not need a
 * line break. A line that is too long to keep as a dead letter is truncated.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let line = new OpenLine();
  let number = 0;
  const end = (): Line => {
    number += 1;
    const ended = line.end(number);
    line = new OpenLine();
    return ended;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, start)) {
      line.add(chunk.subarray(start, at));
      yield end();
      start = at + 1;
    }
    if (start < chunk.byteLength) line.add(chunk.subarray(start));
  }
  if (line.length > 0) yield end();
}

/** Whether a line contains only white space. Such lines are not records. */
export function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
