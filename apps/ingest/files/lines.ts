const NEWLINE = 0x0a;
/** No record is this long; a file without line ends must not fill the memory. */
const LONGEST_LINE_BYTES = 256 * 1024 * 1024;

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

function withoutMark(bytes: Uint8Array): Uint8Array {
  const start = bytes.subarray(0, BYTE_ORDER_MARK.byteLength);
  return BYTE_ORDER_MARK.equals(start) ? bytes.subarray(start.byteLength) : bytes;
}

/** A line of a file, without its line end. `number` counts from 1. */
export interface Line {
  number: number;
  bytes: Uint8Array;
}

/**
 * Splits a stream of bytes into lines; the last one needs no line end. A byte order mark at the start is skipped. Throws when
 * a line is longer than 256 MiB.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let number = 0;
  const take = (): Line => {
    const whole = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    const bytes = number === 0 ? withoutMark(whole) : whole;
    parts = [];
    length = 0;
    number += 1;
    return { number, bytes };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      parts.push(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    if (start === chunk.byteLength) continue;
    parts.push(chunk.subarray(start));
    length += chunk.byteLength - start;
    if (length > LONGEST_LINE_BYTES) {
      throw new Error(`Line ${number + 1} is longer than 256 MiB: records must stand on a line each.`);
    }
  }
  if (parts.length > 0) yield take();
}

/** Whether a line holds nothing but white space; such lines are no records. */
export function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
