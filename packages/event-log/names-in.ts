import { RECORD_LIMIT_BYTES } from '@milepost/domain/records';
import type { PipelineRecord } from '@milepost/domain/vocabulary';

/** The ids in a record's bytes: whom it may be about. */
export interface Names {
  /** `any` when the bytes do not say of which fleet they are. */
  fleets: readonly string[] | 'any';
  drivers: readonly string[];
  /** The pipeline's own ids. */
  trips: readonly string[];
}

/** `unclear` when there are too many ids to look at: it may be about anybody. */
export type NamesIn = Names | 'unclear';

/** The members that say whom a record is about. */
const FIELDS = ['fleet_id', 'driver_id', 'source_trip_id'] as const;
type Field = (typeof FIELDS)[number];
type Fields = Readonly<Record<string, unknown>>;

/** Twice the strings of a trip with every field. Each is looked up once there are erasures. */
const MOST_STRINGS = 250;
/** Of an id of 256 characters as JSON may spell it, and more. */
const LONGEST_ID_BYTES = 4096;
/** A record within a string of another is looked into up to this size. */
const LONGEST_NESTED_BYTES = 1024 * 1024;

const FLEET_ID = /^[A-Za-z0-9_-]{1,64}$/;
/** What JSON has between two strings. */
const BETWEEN_STRINGS = /^[\s:,[\]{}\d.eE+-]*(?:(?:true|false|null)[\s:,[\]{}\d.eE+-]*)*$/;
const NOT_BETWEEN_STRINGS = /[^\s:,[\]{}\d.+\-Eaeflnrstu]/;
const PUNCTUATION = Array.from({ length: 256 }, (_, code) => /[\s:,[\]{}\d.eE+-]/.test(String.fromCharCode(code)));
const COLON = /^\s*:/;
const TOKEN = /[[\]{},:]|[^\s[\]{},:'"]+/g;
const NOT_ASCII = /[\u0080-\u00ff]/;
const ASCII_ESCAPE = /\\u00[2-7]/;
const ESCAPE = /\\(?:u([\da-f]{4})|(.))/gis;
const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const BACKSLASH = 0x5c;

/**
 * Whom a record's bytes name, storable or not. Fields that are sound say it, and nothing else does. Without them each
 * string may be the id: JSON.parse drops members of the same name, and broken text has no members at all. Both
 * erasing what lies there and refusing what arrives go by this answer.
 *
 * Records beyond the limit are searched, never parsed: the search needs hardly more memory than they have themselves.
 */
export function namesIn(raw: Uint8Array | null): NamesIn {
  const bytes = bufferOf(raw);
  const object = bytes.byteLength > RECORD_LIMIT_BYTES ? null : objectOf(bytes);
  const fields = object !== null && hasEachOnce(bytes) ? object : {};
  const [fleets, ids] = [fleetOf(fields), idsOf(fields)];
  if (fleets && ids) return { fleets, ...ids };
  const search = new Search();
  if (!search.through(bytes.toString('latin1'))) return ids ? { fleets: 'any', ...ids } : 'unclear';
  const found = search.names();
  // That of a nested object is not the record's.
  const isMissing = object !== null && !Object.hasOwn(object, 'fleet_id');
  return {
    fleets: fleets ?? (isMissing ? 'any' : found.fleets),
    ...(ids ?? { drivers: found.drivers, trips: found.trips }),
  };
}

/** Whether a storable record's bytes may name more than what is stored of it, which matters if it becomes a dead letter. */
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

function objectOf(bytes: Buffer): Fields | null {
  try {
    const json: unknown = JSON.parse(bytes.toString());
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : null;
  } catch {
    return null;
  }
}

/** Whether JSON.parse has dropped no member that says whom the record is about. */
function hasEachOnce(bytes: Buffer): boolean {
  return !FIELDS.some((field) => isRepeated(bytes, field)) && !ASCII_ESCAPE.test(bytes.toString());
}

function fleetOf({ fleet_id }: Fields): [string] | null {
  return typeof fleet_id === 'string' && FLEET_ID.test(fleet_id) ? [fleet_id] : null;
}

/** The driver and the trip as the fields say; null unless these are sound. */
function idsOf({ kind, driver_id: driver, source_trip_id: trip }: Fields): Omit<Names, 'fleets'> | null {
  const isDeletion = kind === 'trip.deleted' && driver === undefined && isId(trip);
  if (!isDeletion && !isId(driver)) return null;
  if (!isId(trip) && trip !== undefined && trip !== null) return null;
  return { drivers: isId(driver) ? [driver] : [], trips: isId(trip) ? [trip] : [] };
}

/** PostgreSQL's text holds no U+0000 and no half characters. U+FFFD stands for bytes that are not UTF-8. */
function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && isStorable(value) && !value.includes('\ufffd');
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** The value of a member: what stands between its colon and the comma or bracket behind it. */
interface Value {
  field: Field;
  depth: number;
  texts: string[];
  isObject: boolean;
}

/** Collects what may be an id out of any bytes. They are cut at quotes, and never parsed as a whole. */
class Search {
  /** Pieces that were looked at, as they stand there: a long record has few that differ. */
  readonly #seen = new Set<string>();
  readonly #strings = new Set<string>();
  readonly #fleets = new Set<string>();
  readonly #values = { driver_id: new Set<string>(), source_trip_id: new Set<string>() };
  #isOfAnyFleet = false;

  names(): Names {
    const { driver_id, source_trip_id } = this.#values;
    return {
      fleets: this.#isOfAnyFleet || this.#fleets.size === 0 ? 'any' : [...this.#fleets],
      drivers: [...this.#strings.union(driver_id)],
      trips: [...this.#strings.union(source_trip_id)],
    };
  }

  /**
   * False when there is too much to look at; what was found is not all then.
   *
   * @param bytes as a string of a character each, which Node keeps outside of the heap when it is long
   */
  through(bytes: string): boolean {
    let value: Value | null = null;
    let field: Field | undefined;
    for (let start = 0, isString = false; start <= bytes.length; isString = !isString) {
      const end = findQuote(bytes, start);
      // Most of a long record; told apart without a copy.
      if (!isString && value === null && field === undefined && isPunctuation(bytes, start, end)) {
        start = end + 1;
        continue;
      }
      const piece = bytes.slice(start, end);
      start = end + 1;
      if (value === null && field !== undefined && COLON.test(piece)) {
        value = { field, depth: 0, texts: [], isObject: false };
      }
      field = value === null ? FIELDS.find((name) => name === unescaped(piece)) : undefined;
      if (value === null && this.#seen.has(piece)) continue;
      if (!this.#take(piece, isString)) return false;
      if (value !== null) {
        if (piece.length > LONGEST_ID_BYTES) return false;
        if (isString) value.texts.push(textOf(piece));
        else if (endsValue(value, piece)) value = this.#takeValue(value, true);
      }
      const { driver_id, source_trip_id } = this.#values;
      if (this.#strings.size + driver_id.size + source_trip_id.size > MOST_STRINGS) return false;
    }
    if (value !== null) this.#takeValue(value, false);
    return true;
  }

  #take(piece: string, isString: boolean): boolean {
    const isLong = piece.length > LONGEST_ID_BYTES;
    if (!isString && (isLong ? !NOT_BETWEEN_STRINGS.test(piece) : BETWEEN_STRINGS.test(piece))) return true;
    const isNested = piece.includes('\\"') || piece.includes('\\u0022');
    // No id is as long; but a record may be in it, or ids without quotes.
    if (isLong && !isNested) return isString;
    if (isNested && piece.length > LONGEST_NESTED_BYTES) return false;
    const text = textOf(piece);
    if (!isLong) {
      this.#seen.add(piece);
      addSpellings(this.#strings, text);
      // Text in another encoding than UTF-8 is Latin-1 as a rule.
      if (text.includes('\ufffd')) addSpellings(this.#strings, unescaped(piece));
      if (!isString) for (const [token] of text.matchAll(TOKEN)) addSpellings(this.#strings, token);
    }
    return !isNested || this.through(bytesOf(text));
  }

  #takeValue({ field, texts, isObject }: Value, isWhole: boolean): null {
    if (field === 'fleet_id') {
      if (!isWhole || isObject || texts.length === 0 || !texts.every(isFleetId)) this.#isOfAnyFleet = true;
      for (const text of texts) this.#fleets.add(text);
      return null;
    }
    for (const text of texts) {
      addSpellings(this.#values[field], text);
      // A number may be written in several ways.
      if (text !== '' && Number.isFinite(Number(text))) addSpellings(this.#values[field], String(Number(text)));
    }
    return null;
  }
}

function isFleetId(text: string): boolean {
  return FLEET_ID.test(text) && text !== 'null' && text !== 'true' && text !== 'false';
}

/** An id as it stands there, and without what is broken in it. */
function addSpellings(ids: Set<string>, text: string): void {
  for (const id of text.includes('\ufffd') ? [text, text.replaceAll('\ufffd', '')] : [text]) {
    if (id !== '' && isStorable(id)) ids.add(id);
  }
}

/** Takes what is no string of a value; true when its end is there. */
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

/** Whether a short part of the bytes has only numbers, brackets, commas, colons and white space. */
function isPunctuation(bytes: string, start: number, end: number): boolean {
  if (end - start > LONGEST_ID_BYTES) return false;
  for (let at = start; at < end; at += 1) {
    if (!PUNCTUATION[bytes.charCodeAt(at)]) return false;
  }
  return true;
}

/** The index of the next quote that no backslash escapes; the length when there is none. */
function findQuote(bytes: string, from: number): number {
  for (let at = bytes.indexOf('"', from); at >= 0; at = bytes.indexOf('"', at + 1)) {
    let before = at;
    while (before > from && bytes.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    if ((at - before) % 2 === 0) return at;
  }
  return bytes.length;
}

function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** What a piece spells as JSON in UTF-8. */
function textOf(piece: string): string {
  return unescaped(NOT_ASCII.test(piece) ? Buffer.from(piece, 'latin1').toString() : piece);
}
