import { fault, type RecordFault, shown } from './fault.ts';

/** Most bytes a record may have. 50,000 trail points of 130 bytes each are 6.5 MB. */
export const RECORD_LIMIT_BYTES = 16 * 1024 * 1024;

/** A JSON object whose fields nobody has looked at yet. */
export type UncheckedObject = Readonly<Record<string, unknown>>;

// ignoreBOM leaves a byte order mark in the text, where JSON refuses it, instead of silently dropping bytes.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The JSON object that the bytes of a record spell, or why they spell none. */
export function decodeObject(value: Uint8Array | null): { ok: true; object: UncheckedObject } | RecordFault {
  if (value === null) return fault('null_value', null, 'The record has no value, but must be a JSON object.');
  if (value.byteLength === 0) return fault('empty_value', null, 'The record is empty, but must be a JSON object.');
  if (value.byteLength > RECORD_LIMIT_BYTES) {
    const size = `${value.byteLength} bytes, but may have at most ${RECORD_LIMIT_BYTES}`;
    return fault('record_too_large', null, `The record has ${size}.`);
  }
  let text: string;
  try {
    text = UTF8.decode(value);
  } catch {
    return fault('invalid_utf8', null, 'The record holds bytes that are not UTF-8.');
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

/** The parser quotes the text around the fault as it is, and PostgreSQL takes neither U+0000 nor half characters. */
function shownParserMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : 'it cannot be parsed';
  return message.toWellFormed().replaceAll(/\p{Cc}/gu, '\ufffd');
}
