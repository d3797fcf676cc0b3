/**
 * The codec of trip events, which is lossless, compact and protected by a checksum. The codec omits names, because they
 * follow from the types. A number is stored as the characters of its JSON text, one nibble each. A trip event ends near
 * its start, so most numbers begin with the same characters as the previous number of the same kind. The codec omits
 * this common prefix.
 *
 * The bytes are the format (8 bits), nibbles (the low nibble first), and a checksum. A trip event consists of its type
 * and its numbers. A number consists of the count of omitted characters, the other characters and `END`. The first
 * number of each kind has no count. `END` in place of a type ends the list.
 */

import { TRIP_EVENT_NAMES, TRIP_EVENT_TYPES, type TripEvent } from '@milepost/domain/vocabulary';
import { checkedContent, DamagedBytesError, withChecksum } from '@milepost/trail-codec/bit-stream';

const FORMAT = 1;
/** A nibble is the index of a type or a character, a count of omitted characters, or the end. */
const TYPES = Object.values(TRIP_EVENT_TYPES);
const CHARACTERS = '0123456789.-e+';
const MAX_OMITTED = 15;
const END = 15;

/** The kinds of numbers. */
const [TIME, LATITUDE, LONGITUDE, SPEED, SPEED_LIMIT] = [0, 1, 2, 3, 4] as const;
/** The fields of every trip event, with the kind of each. */
const FIELDS = [
  { name: 'event_start_timestamp', kind: TIME },
  { name: 'event_end_timestamp', kind: TIME },
  { name: 'event_start_latitude', kind: LATITUDE },
  { name: 'event_start_longitude', kind: LONGITUDE },
  { name: 'event_end_latitude', kind: LATITUDE },
  { name: 'event_end_longitude', kind: LONGITUDE },
] as const;
/** The fields in the data of an overspeeding trip event. */
const SPEEDS = [
  { name: 'user_speed_mph', kind: SPEED },
  { name: 'speed_limit_mph', kind: SPEED_LIMIT },
  { name: 'max_user_speed_mph', kind: SPEED },
] as const;

/** The longest text of a double, such as -2.2250738585072014e-308. */
const MAX_NUMBER_LENGTH = 24;
const MAX_EVENT_HALVES = 1 + (FIELDS.length + SPEEDS.length) * (1 + MAX_NUMBER_LENGTH + 1);
const FORMAT_HALVES = 2;

const CODES = new Uint8Array(128);
for (const [code, character] of [...CHARACTERS].entries()) CODES[character.charCodeAt(0)] = code;

/** Returns the length of the strings' common prefix, up to `MAX_OMITTED`. */
function commonLength(text: string, previous: string): number {
  const max = Math.min(text.length, previous.length, MAX_OMITTED);
  let length = 0;
  while (length < max && text.charCodeAt(length) === previous.charCodeAt(length)) length++;
  return length;
}

class HalfByteWriter {
  private readonly bytes: Uint8Array;
  private readonly previous: string[] = [];
  private halves = FORMAT_HALVES;

  constructor(events: number) {
    this.bytes = new Uint8Array(1 + ((FORMAT_HALVES + events * MAX_EVENT_HALVES) >>> 1));
    this.bytes[0] = FORMAT;
  }

  write(half: number): void {
    const index = this.halves >>> 1;
    this.bytes[index] = (this.halves & 1) === 0 ? half : (this.bytes[index] ?? 0) | (half << 4);
    this.halves++;
  }

  writeNumber(value: number, kind: number): void {
    const text = Object.is(value, -0) ? '-0' : String(value);
    const previous = this.previous[kind];
    let at = 0;
    if (previous !== undefined) {
      at = commonLength(text, previous);
      this.write(at);
    }
    while (at < text.length) this.write(CODES[text.charCodeAt(at++)] ?? END);
    this.write(END);
    this.previous[kind] = text;
  }

  finish(): Uint8Array {
    this.write(END);
    return this.bytes.subarray(0, (this.halves + 1) >>> 1);
  }
}

/** Encodes trip events. All numbers must be finite, and the bytes depend only on the types and the numbers. */
export function encodeTripEvents(events: readonly TripEvent[]): Uint8Array {
  const writer = new HalfByteWriter(events.length);
  for (const event of events) {
    writer.write(TYPES.indexOf(event.event_type));
    for (const { name, kind } of FIELDS) writer.writeNumber(event[name], kind);
    if (event.event_type !== TRIP_EVENT_TYPES.OVERSPEEDING) continue;
    for (const { name, kind } of SPEEDS) {
      const speed = event.event_data[name];
      if (speed === undefined)
        throw new TypeError(`The data of an OVERSPEEDING trip event must have the field ${name}.`);
      writer.writeNumber(speed, kind);
    }
  }
  return withChecksum(writer.finish());
}

class HalfByteReader {
  private readonly bytes: Uint8Array;
  private readonly previous: string[] = [];
  private halves = FORMAT_HALVES;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  read(): number {
    const byte = this.bytes[this.halves >>> 1];
    if (byte === undefined) throw new DamagedBytesError('The end of the trip events is missing.');
    return (byte >>> (4 * (this.halves++ & 1))) & 15;
  }

  /** Returns the JSON text of a number. */
  readNumber(kind: number): string {
    const previous = this.previous[kind];
    let text = previous === undefined ? '' : previous.slice(0, this.read());
    for (let code = this.read(); code !== END; code = this.read()) text += CHARACTERS[code] ?? '';
    this.previous[kind] = text;
    return text;
  }

  finish(): void {
    if ((this.halves & 1) === 1 && this.read() !== 0) throw new DamagedBytesError('The last nibble is not zero.');
    if (this.halves >>> 1 !== this.bytes.byteLength) {
      throw new DamagedBytesError(
        `The trip events end after ${this.halves >>> 1} bytes, but there are ${this.bytes.byteLength}.`,
      );
    }
  }
}

/**
 * Returns the JSON text of the trip events encoded by `encodeTripEvents`. Unlike JSON.stringify, it writes -0 as `-0`,
 * so that JSON.parse returns every number bit for bit. The text is at most 60 times as long as the bytes. Throws
 * DamagedBytesError.
 */
export function tripEventsToJson(bytes: Uint8Array): string {
  const content = checkedContent(bytes);
  if (content[0] !== FORMAT) {
    throw new DamagedBytesError(`The format of trip events is ${content[0]}, but only ${FORMAT} is known.`);
  }
  const reader = new HalfByteReader(content);
  let json = '';
  for (let code = reader.read(); code !== END; code = reader.read()) {
    const type = TYPES[code];
    if (type === undefined) throw new DamagedBytesError(`The trip event type ${code} is unknown.`);
    json += `${json === '' ? '' : ','}{"event_type":${type},"event_name":"${TRIP_EVENT_NAMES[type]}"`;
    for (const { name, kind } of FIELDS) json += `,"${name}":${reader.readNumber(kind)}`;
    let data = '';
    if (type === TRIP_EVENT_TYPES.OVERSPEEDING) {
      for (const { name, kind } of SPEEDS) data += `${data === '' ? '' : ','}"${name}":${reader.readNumber(kind)}`;
    }
    json += `,"event_data":{${data}}}`;
  }
  reader.finish();
  return `[${json}]`;
}
