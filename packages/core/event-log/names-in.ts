import { FLEET_ID } from '@milepost/domain/ids';
import { isUncheckedObject, MAX_RECORD_BYTES, readSchemaFrame, type UncheckedObject } from '@milepost/domain/records';
import type { PipelineRecord } from '@milepost/domain/vocabulary';
import { type NamedIds, type Names, withHashes } from './names.ts';

/** `unclear` when there are too many ids to check, in which case the record may be about any driver. */
export type NamesIn = Names | 'unclear';

/** The members that identify what a record is about. */
const FIELDS = ['fleet_id', 'driver_id', 'source_trip_id'] as const;
type Field = (typeof FIELDS)[number];

/**
 * This is twice the number of strings in a trip that has every field. The number is limited because, if the log
 * contains erasures, each string is looked up.
 */
const MAX_STRINGS = 250;
/** This is longer than any JSON spelling of an id with 256 characters. */
const MAX_ID_BYTES = 4096;
/** Longer strings are not searched for a nested record. */
const MAX_NESTED_BYTES = 1024 * 1024;

/** What JSON allows between two strings, and a quicker check for long pieces. */
const BETWEEN_STRINGS = /^[\s:,[\]{}\d.eE+-]*(?:(?:true|false|null)[\s:,[\]{}\d.eE+-]*)*$/;
const LIKELY_BETWEEN_STRINGS = /^[\s:,[\]{}\d.+\-Eaeflnrstu]*$/;
const STARTS_WITH_COLON = /^\s*:/;
const TOKEN = /[[\]{},:]|[^\s[\]{},:'"]+/g;
const NOT_ASCII = /[\u0080-\u00ff]/;
const ASCII_ESCAPE = /\\u00[2-7]/;
const ESCAPE = /\\(?:u([\da-f]{4})|(.))/gis;
const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const ESCAPED_QUOTES = ['\\"', '\\u0022'] as const;

/**
 * Returns the ids in the bytes of a record, even if it is not storable. If the fields that contain ids are valid, only
 * these ids count. Otherwise, any string may be an id, because the text may be damaged, or JSON.parse may have dropped
 * members with a repeated name. The result decides which stored dead letters an erasure affects and which new records
 * are refused. Records above the limit are searched without parsing them.
 *
 * @param raw at most 32 MiB, because no more of a record is kept (see `keptOf`)
 */
export function namesIn(raw: Uint8Array | null): NamesIn {
  const bytes = bufferOf(raw);
  // In other formats, such as Avro, it is not clear where an id begins.
  if (readSchemaFrame(bytes)?.isJson === false) return 'unclear';
  const object = bytes.byteLength > MAX_RECORD_BYTES ? null : objectOf(bytes);
  const fields = object !== null && hasEachOnce(bytes) ? object : {};
  const [fleets, ids] = [fleetOf(fields), idsOf(fields)];
  if (fleets && ids) return withHashes(fleets, ids);
  const search = new Search();
  if (!search.through(latin1(bytes))) return ids ? withHashes('any', ids) : 'unclear';
  // A `fleet_id` in a nested object does not belong to the record.
  const isMissing = object !== null && !Object.hasOwn(object, 'fleet_id');
  return withHashes(fleets ?? (isMissing ? 'any' : search.fleets()), ids ?? search.ids());
}

/**
 * Whether the bytes of a storable record may contain ids that do not appear in its stored fields. Such ids matter if
 * the record becomes a dead letter.
 */
export function mayNameMore(raw: Uint8Array | null, kind: PipelineRecord['kind']): boolean {
  const bytes = bufferOf(raw);
  if (bytes.includes('\\u00')) return true;
  const unknown = kind === 'trip.deleted' ? 'driver_id' : kind === 'driver.profile' ? 'source_trip_id' : null;
  return FIELDS.some((field) => (field === unknown ? bytes.includes(`"${field}"`) : isRepeated(bytes, field)));
}

function bufferOf(raw: Uint8Array | null): Buffer {
  return raw === null ? Buffer.alloc(0) : Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
}

function isRepeated(bytes: Buffer, field: Field): boolean {
  const first = bytes.indexOf(`"${field}"`);
  return first >= 0 && bytes.includes(`"${field}"`, first + 1);
}

function objectOf(bytes: Buffer): UncheckedObject | null {
  try {
    const json: unknown = JSON.parse(bufferOf(readSchemaFrame(bytes)?.value ?? bytes).toString());
    return isUncheckedObject(json) ? json : null;
  } catch {
    return null;
  }
}

/** Whether each member that identifies the subject occurs only once, so that JSON.parse has not dropped any. */
function hasEachOnce(bytes: Buffer): boolean {
  return !FIELDS.some((field) => isRepeated(bytes, field)) && !ASCII_ESCAPE.test(bytes.toString());
}

function fleetOf({ fleet_id }: UncheckedObject): [string] | null {
  return typeof fleet_id === 'string' && FLEET_ID.test(fleet_id) ? [fleet_id] : null;
}

/** Returns the driver and the trip from the fields; null unless these fields are valid. */
function idsOf({ kind, driver_id: driver, source_trip_id: trip }: UncheckedObject): NamedIds | null {
  const isDeletion = kind === 'trip.deleted' && driver === undefined && isId(trip);
  if (!isDeletion && !isId(driver)) return null;
  if (!isId(trip) && trip !== undefined && trip !== null) return null;
  return { drivers: isId(driver) ? [driver] : [], trips: isId(trip) ? [trip] : [] };
}

/** PostgreSQL cannot store U+0000 or lone surrogates as text. U+FFFD stands for bytes that are not UTF-8. */
function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && isStorable(value) && !value.includes('\ufffd');
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** The value of a member, which is the text between its colon and the next comma or bracket. */
interface Value {
  field: Field;
  depth: number;
  texts: string[];
  isObject: boolean;
}

/** Collects possible ids from any bytes. Splits the bytes at quotes and never parses them as a whole. */
class Search {
  /** The pieces that have already been checked, in their original spelling. A long record repeats most pieces. */
  readonly #seen = new Set<string>();
  readonly #strings = new Set<string>();
  readonly #fleets = new Set<string>();
  readonly #values = { driver_id: new Set<string>(), source_trip_id: new Set<string>() };
  #isOfAnyFleet = false;

  fleets(): Names['fleets'] {
    return this.#isOfAnyFleet || this.#fleets.size === 0 ? 'any' : [...this.#fleets];
  }

  ids(): NamedIds {
    const { driver_id, source_trip_id } = this.#values;
    return { drivers: [...this.#strings.union(driver_id)], trips: [...this.#strings.union(source_trip_id)] };
  }

  /**
   * Returns false when the result is incomplete because there are too many pieces to check.
   *
   * @param text has one character for each byte
   */
  through(text: string): boolean {
    let value: Value | null = null;
    let field: Field | undefined;
    for (let start = 0, isString = false; start <= text.length; isString = !isString) {
      const end = findQuote(text, start);
      const piece = text.slice(start, end);
      start = end + 1;
      if (value === null && field !== undefined && !isString && STARTS_WITH_COLON.test(piece)) {
        value = { field, depth: 0, texts: [], isObject: false };
      }
      if (piece.length > MAX_ID_BYTES) {
        if (value !== null || !this.#addLongPiece(piece, isString)) return false;
        field = undefined;
        continue;
      }
      field = value === null ? FIELDS.find((name) => name === unescaped(piece)) : undefined;
      if (value === null && this.#seen.has(piece)) continue;
      if (!this.#addPiece(piece, isString)) return false;
      if (value !== null) {
        if (isString) value.texts.push(textOf(piece));
        else if (endsValue(value, piece)) value = this.#addValue(value, true);
      }
      const { driver_id, source_trip_id } = this.#values;
      if (this.#strings.size + driver_id.size + source_trip_id.size > MAX_STRINGS) return false;
    }
    if (value !== null) this.#addValue(value, false);
    return true;
  }

  #addPiece(piece: string, isString: boolean): boolean {
    if (!isString && BETWEEN_STRINGS.test(piece)) return true;
    const text = textOf(piece);
    this.#seen.add(piece);
    addSpellings(this.#strings, text);
    // Text that is not UTF-8 is usually Latin-1, so the Latin-1 interpretation is added too.
    if (text.includes('\ufffd')) addSpellings(this.#strings, unescaped(piece));
    if (!isString) for (const [token] of text.matchAll(TOKEN)) addSpellings(this.#strings, token);
    const isNested = ESCAPED_QUOTES.some((quote) => piece.includes(quote));
    return !isNested || this.through(latin1(Buffer.from(text)));
  }

  /** Searches a piece that is longer than any id, because it may contain a record, or ids without quotes. */
  #addLongPiece(piece: string, isString: boolean): boolean {
    if (!isString && LIKELY_BETWEEN_STRINGS.test(piece)) return true;
    if (!ESCAPED_QUOTES.some((quote) => piece.includes(quote))) return isString;
    return piece.length <= MAX_NESTED_BYTES && this.through(latin1(Buffer.from(textOf(piece))));
  }

  #addValue({ field, texts, isObject }: Value, isWhole: boolean): null {
    if (field === 'fleet_id') {
      if (!isWhole || isObject || texts.length === 0 || !texts.every(isFleetId)) this.#isOfAnyFleet = true;
      for (const text of texts) this.#fleets.add(text);
      return null;
    }
    for (const text of texts) {
      addSpellings(this.#values[field], text);
      // JSON can spell the same number in several ways.
      if (text !== '' && Number.isFinite(Number(text))) addSpellings(this.#values[field], String(Number(text)));
    }
    return null;
  }
}

function isFleetId(text: string): boolean {
  return FLEET_ID.test(text) && text !== 'null' && text !== 'true' && text !== 'false';
}

/** Adds an id as written and, if the id contains invalid bytes, a second spelling without them. */
function addSpellings(ids: Set<string>, text: string): void {
  for (const id of text.includes('\ufffd') ? [text, text.replaceAll('\ufffd', '')] : [text]) {
    if (id !== '' && isStorable(id)) ids.add(id);
  }
}

/**
 * Adds the numbers, literals and brackets in the text between two strings. Returns true if the value ends in this text.
 */
function endsValue(value: Value, text: string): boolean {
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '[' || token === '{') value.depth += 1;
    else if (token === ']' || token === '}') value.depth -= 1;
    else if (token !== ',' && token !== ':') value.texts.push(token);
    if (token === '{') value.isObject = true;
    if (value.depth < 0 || (value.depth === 0 && token === ',')) return true;
  }
  return false;
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(ESCAPE, (_, code?: string, character = '') =>
    code === undefined ? (ESCAPED[character] ?? character) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Returns the index of the next quote that is not escaped by a backslash; the length of `text` when there is none. */
function findQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (before > from && text[before - 1] === '\\') before -= 1;
    if ((at - before) % 2 === 0) return at;
  }
  return text.length;
}

/** Returns bytes as a string with one character for each byte. */
function latin1(bytes: Buffer): string {
  return bytes.toString('latin1');
}

/** Returns the text of a piece, decoded as JSON in UTF-8. */
function textOf(piece: string): string {
  return unescaped(NOT_ASCII.test(piece) ? Buffer.from(piece, 'latin1').toString() : piece);
}
