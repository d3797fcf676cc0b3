import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

/** A part of a list, from the first to before the last. */
export interface Range {
  from: number;
  to: number;
}

/** The bytes that base64 stands for. */
export function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Bytes as text; those that are no UTF-8 as replacement characters. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** The names and indexes of a path such as `/events/0/event_type`, as JSON Pointer (RFC 6901) has them. */
function segmentsOf(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * Where a text, JSON or what is left of it, has the field of a path; or the nearest one above it, where the field is missing.
 * Null for the whole record.
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
  // Of a member, its name as well: a wrong null is hard to see.
  const { offset, length } = found.parent?.type === 'property' ? found.parent : found;
  return { from: offset, to: offset + length };
}

/** The part of the bytes that a part of their text stands for; null where bytes and text do not go together. */
export function rangeInBytes(bytes: Uint8Array, text: string, range: Range): Range | null {
  const encoder = new TextEncoder();
  if (encoder.encode(text).length !== bytes.length) return null;
  const from = encoder.encode(text.slice(0, range.from)).length;
  return { from, to: from + encoder.encode(text.slice(range.from, range.to)).length };
}

const PER_LINE = 16;
const NO_PRINT = /[^\x20-\x7e]/g;

/** A line of a hexadecimal listing. */
interface HexLine {
  /** Of the first byte. */
  offset: string;
  bytes: { hex: string; isMarked: boolean }[];
  /** What can be printed of them; a dot for what cannot. */
  text: string;
}

/** The bytes from `first` on, sixteen a line, at most `most` lines. */
export function hexLines(bytes: Uint8Array, marked: Range | null, first: number, most: number): HexLine[] {
  const count = Math.min(most, Math.ceil((bytes.length - first) / PER_LINE));
  return Array.from({ length: Math.max(0, count) }, (_, line) => {
    const from = first + line * PER_LINE;
    const part = bytes.slice(from, from + PER_LINE);
    return {
      offset: from.toString(16).padStart(6, '0'),
      bytes: [...part].map((byte, index) => ({
        hex: byte.toString(16).padStart(2, '0'),
        isMarked: marked !== null && from + index >= marked.from && from + index < marked.to,
      })),
      text: String.fromCharCode(...part).replace(NO_PRINT, '.'),
    };
  });
}
