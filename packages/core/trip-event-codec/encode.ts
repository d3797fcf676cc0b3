import { TRIP_EVENT_TYPES, type TripEvent } from '@milepost/domain/vocabulary';
import { withChecksum } from '@milepost/trail-codec/bit-writer';
import { FIELDS, FORMAT, FORMAT_HALVES, NIBBLES, SPEEDS, TYPES } from './format.ts';

// The compiler inlines local constants, but not imported ones.
const { CHARACTERS, END } = NIBBLES;
const MAX_OMITTED = 15;
/** The longest text of a double, such as -2.2250738585072014e-308. */
const MAX_NUMBER_LENGTH = 24;
const MAX_EVENT_HALVES = 1 + (FIELDS.length + SPEEDS.length) * (1 + MAX_NUMBER_LENGTH + 1);

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
  private bytes = new Uint8Array(4096);
  private previous: string[] = [];
  private halves = FORMAT_HALVES;

  /** Starts a new list with this number of trip events. */
  reset(events: number): void {
    const capacity = 1 + ((FORMAT_HALVES + events * MAX_EVENT_HALVES) >>> 1);
    if (this.bytes.byteLength < capacity) this.bytes = new Uint8Array(capacity);
    this.bytes[0] = FORMAT;
    this.previous = [];
    this.halves = FORMAT_HALVES;
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

  /** Returns everything written since the last reset, as a view that is valid until the next reset. */
  finish(): Uint8Array {
    this.write(END);
    return this.bytes.subarray(0, (this.halves + 1) >>> 1);
  }
}

// The buffer is reused, because allocating it would take longer than encoding the trip events.
const writer = new HalfByteWriter();

/** Encodes trip events. All numbers must be finite, and the bytes depend only on the types and the numbers. */
export function encodeTripEvents(events: readonly TripEvent[]): Uint8Array {
  writer.reset(events.length);
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
