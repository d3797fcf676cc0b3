import { fault, type RecordFault, type Refusal, shown } from './fault.ts';
import { isUncheckedObject, type UncheckedObject } from './schema.ts';

/** The maximum size of a record. 50,000 trail points of 130 bytes each take up 6.5 MB. */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024;

/**
 * The maximum size of an archive line. A line is longer than its record for three reasons. It gives the place in the
 * log, it spells out defaults such as the names of trip events, and it writes numbers without exponents
 * (100000000000000000000 for 1e20). Even so, no line is twice as long as the longest record.
 */
export const MAX_ARCHIVED_BYTES = 2 * MAX_RECORD_BYTES;

/**
 * The maximum size of a record kept whole as a dead letter. Storing a record needs several times its size in memory.
 */
const MAX_WHOLE_BYTES = 32 * 1024 * 1024;
/** The number of bytes kept from a longer record, which is enough to identify the record's origin. */
const MAX_PART_BYTES = 64 * 1024;

/** Returns how many bytes of a record are kept if it becomes a dead letter. */
export function keptOf(bytes: number): number {
  return bytes > MAX_WHOLE_BYTES ? MAX_PART_BYTES : bytes;
}

/** Refuses a record of which only the first `kept` bytes are kept. `origin` may begin with a space and a sentence. */
export function refuseTooLong(bytes: number, kept: number, origin = ''): Refusal {
  const size = `${bytes} bytes long, but may be at most ${MAX_RECORD_BYTES}`;
  const message = `The record is ${size}.${origin} Its first ${kept} bytes are kept.`;
  return { reason: 'record_too_large', field: null, message };
}

/** One record from a source, fetched from Kafka or read from a line of a file. */
export interface FetchedRecord {
  offset: number;
  /** The record's bytes; null for a Kafka record without a value. */
  value: Uint8Array | null;
  /** The broker's timestamp, in epoch milliseconds; a line in a file has none. */
  timestamp?: number;
  /** Only `traceparent` is kept, because no other Kafka header is read (https://www.w3.org/TR/trace-context/). */
  headers?: { traceparent?: string };
  /**
   * Why the record must not be read. `value` is then only its beginning, or its batch's compressed records, or null if
   * those are too long to keep.
   */
  refusal?: Refusal | undefined;
}

/** A serializer that uses a schema registry puts a header before each value: a zero byte and a four-byte schema id. */
const FRAME_BYTES = 5;
const MAGIC = 0;
const OPEN_BRACE = 0x7b;
const WHITE_SPACE: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];

/** The schema id from a schema registry header, and the value that follows the header. */
interface Framed {
  schemaId: number;
  value: Uint8Array;
  /** Whether the value begins like a JSON object. If not, the value has another format, such as Avro or Protobuf. */
  isJson: boolean;
}

/** Splits a value that begins with a schema registry header; returns null when there is no such header. */
export function readSchemaFrame(bytes: Uint8Array): Framed | null {
  if (bytes[0] !== MAGIC || bytes.byteLength <= FRAME_BYTES) return null;
  const value = bytes.subarray(FRAME_BYTES);
  const schemaId = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  const first = value.find((byte) => !WHITE_SPACE.includes(byte));
  return { schemaId, value, isJson: first === OPEN_BRACE };
}

// Despite its name, `ignoreBOM` keeps a byte order mark in the text, so that JSON.parse rejects the text. Without this
// option, the decoder would silently drop the mark.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the JSON object in a record's bytes, or the fault if there is none. */
export function decodeObject(
  value: Uint8Array | null,
  maxBytes = MAX_RECORD_BYTES,
): { ok: true; object: UncheckedObject } | RecordFault {
  if (value === null) return fault('null_value', null, 'The record must be a JSON object, but has no value.');
  if (value.byteLength === 0) return fault('empty_value', null, 'The record must be a JSON object, but is empty.');
  if (value.byteLength > maxBytes) {
    const size = `${value.byteLength} bytes long, but may be at most ${maxBytes}`;
    return fault('record_too_large', null, `The record is ${size}.`);
  }
  const framed = readSchemaFrame(value);
  if (framed?.isJson === false) {
    const frame = `a schema registry header (schema id ${framed.schemaId})`;
    const message = `The record has ${frame} and no JSON object after it, so it is probably Avro or Protobuf: publish JSON.`;
    return fault('unsupported_format', null, message);
  }
  let text: string;
  try {
    text = UTF8.decode(framed?.value ?? value);
  } catch {
    return fault('invalid_utf8', null, 'The record contains bytes that are not UTF-8.');
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return fault('invalid_json', null, `The record is not JSON: ${shownParserMessage(error)}.`);
  }
  if (!isUncheckedObject(json)) {
    return fault('not_an_object', null, `The record is ${shown(json)}, but must be a JSON object.`);
  }
  return { ok: true, object: json };
}

/**
 * The parser's message quotes the text around the error unchanged, but PostgreSQL stores neither U+0000 nor lone
 * surrogates.
 */
function shownParserMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : 'it cannot be parsed';
  return message.toWellFormed().replaceAll(/\p{Cc}/gu, '\ufffd');
}
