import type { KafkaMessage } from 'kafkajs';
import { ByteReader } from './byte-reader.ts';

/** Longer headers are not unpacked, and their trace is not kept. */
const MAX_HEADER_BYTES = 16 * 1024;
/** The name and the format of the header (https://www.w3.org/TR/trace-context/#traceparent-header). */
const NAME = 'traceparent';
/** Later versions of the header may append fields. */
const FORM = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?=-|$)/;

/**
 * Reads the headers at the end of a record, and returns the trace that the record belongs to.
 *
 * @param bytes the length of the headers, including their number
 * @returns the `traceparent` header up to its flags; null when there is none, or when its format is invalid
 */
export async function readTraceparent(reader: ByteReader, bytes: number): Promise<string | null> {
  // Most records have no headers: the only byte is their number.
  if (bytes <= 1 || bytes > MAX_HEADER_BYTES) return null;
  const headers = await reader.take(bytes);
  // Most headers do not name a trace, and need not be parsed.
  return headers.includes(NAME) ? await findTraceparent(headers).catch(() => null) : null;
}

/** Returns the trace of the headers. Rejects when they are malformed. */
async function findTraceparent(bytes: Buffer): Promise<string | null> {
  const reader = new ByteReader(chunksOf(bytes));
  for (let left = await reader.varint(); left > 0; left -= 1) {
    const name = await takeText(reader);
    const value = await takeText(reader);
    if (name === NAME) return FORM.exec(value)?.[0] ?? null;
  }
  return null;
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Reads a length and that many bytes. The length of a null string is negative. */
async function takeText(reader: ByteReader): Promise<string> {
  return (await reader.take(Math.max(0, await reader.varint()))).toString('latin1');
}

/** Returns the trace that a fetched message carries; null when it carries none. */
export function traceparentOf({ headers }: Pick<KafkaMessage, 'headers'>): string | null {
  const value = headers?.[NAME];
  return typeof value === 'string' ? value : null;
}
