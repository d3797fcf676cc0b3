import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

/** A half-open range of indexes, in which `to` is exclusive. */
export interface Range {
  from: number;
  to: number;
}

/** Decodes base64. */
export function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Decodes UTF-8. Invalid bytes become replacement characters. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** The names and indexes in a JSON Pointer (RFC 6901) such as `/events/0/event_type`. */
function segmentsOf(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * A field's range in a JSON text, which may be truncated. If the field is missing, this is the range of the nearest
 * existing parent, or null if that is the whole record.
 */
export function rangeOfField(text: string, path: string): Range | null {
  const root = parseTree(text);
  let found = root;
  for (const segment of segmentsOf(path)) {
    const next: Node | undefined =
      found && findNodeAtLocation(found, [found.type === 'array' ? Number(segment) : segment]);
    if (next === undefined) break;
    found = next;
  }
  if (found === undefined || found === root) return null;
  // A member's range includes the name, because a marked `null` alone is hard to see.
  const { offset, length } = found.parent?.type === 'property' ? found.parent : found;
  return { from: offset, to: offset + length };
}

/** Converts a range of the text to a range of the bytes. Null if the bytes are not valid UTF-8. */
export function rangeInBytes(bytes: Uint8Array, text: string, range: Range): Range | null {
  const encoder = new TextEncoder();
  if (encoder.encode(text).length !== bytes.length) return null;
  const from = encoder.encode(text.slice(0, range.from)).length;
  return { from, to: from + encoder.encode(text.slice(range.from, range.to)).length };
}

const PER_LINE = 16;
const NOT_PRINTABLE = /[^\x20-\x7e]/g;

/**
 * At most `maxLines` lines of a hex dump, of sixteen bytes each, starting at the byte `first`. A line's
 * `offset` is that of its first byte, in hexadecimal. Its text is ASCII, with a dot for each unprintable byte.
 */
export function hexLines(bytes: Uint8Array, marked: Range | null, first: number, maxLines: number) {
  const count = Math.min(maxLines, Math.ceil((bytes.length - first) / PER_LINE));
  return Array.from({ length: Math.max(0, count) }, (_, line) => {
    const from = first + line * PER_LINE;
    const part = bytes.slice(from, from + PER_LINE);
    return {
      offset: from.toString(16).padStart(6, '0'),
      bytes: [...part].map((byte, index) => ({
        hex: byte.toString(16).padStart(2, '0'),
        isMarked: marked !== null && from + index >= marked.from && from + index < marked.to,
      })),
      text: String.fromCharCode(...part).replace(NOT_PRINTABLE, '.'),
    };
  });
}
