import { fault, type RecordFault, shown } from './fault.ts';
import { readSchemaFrame } from './schema-frame.ts';

/** The maximum size of a record. 50,000 trail points of 130 bytes each are 6.5 MB. */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024;

/**
 * The maximum size of a line of an archive. A line is longer than its record, because it has defaults, such as the
 * names of trip events, and numbers without exponents, such as 100000000000000000000 for 1e20, and gives the place in
 * the log. Still, it is never twice as long as the longest record.
 */
export const MAX_ARCHIVED_BYTES = 2 * MAX_RECORD_BYTES;

/** A JSON object whose fields have not been validated yet. */
export type UncheckedObject = Readonly<Record<string, unknown>>;

// Despite its name, `ignoreBOM` keeps a byte order mark in the text, which makes JSON.parse refuse it. Without this
// option, the decoder would silently drop the mark.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the JSON object in a record's bytes, or the fault if there is none. */
export function decodeObject(
  value: Uint8Array | null,
  maxBytes = MAX_RECORD_BYTES,
): { ok: true; object: UncheckedObject } | RecordFault {
  if (value === null) return fault('null_value', null, 'The record has no value, but must be a JSON object.');
  if (value.byteLength === 0) return fault('empty_value', null, 'The record is empty, but must be a JSON object.');
  if (value.byteLength > maxBytes) {
    const size = `${value.byteLength} bytes, but may have at most ${maxBytes}`;
    return fault('record_too_large', null, `The record has ${size}.`);
  }
  const framed = readSchemaFrame(value);
  if (framed?.isJson === false) {
    const frame = `a schema registry's header (schema id ${framed.schemaId})`;
    const message = `The record has ${frame} and no JSON object after it, so it is probably Avro or Protobuf: publish JSON.`;
    return fault('unsupported_format', null, message);
  }
  let text: string;
  try {
    text = UTF8.decode(framed?.value ?? value);
  } catch {
    return fault('invalid_utf8', null, 'The record has bytes that are not UTF-8.');
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

export function isUncheckedObject(value: unknown): value is UncheckedObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The parser's message quotes the text around the fault unchanged, but PostgreSQL stores neither U+0000 nor lone
 * surrogates.
 */
function shownParserMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : 'it cannot be parsed';
  return message.toWellFormed().replaceAll(/\p{Cc}/gu, '\ufffd');
}
