import { TRIP_EVENT_NAMES, TRIP_EVENT_TYPES } from '@milepost/domain/vocabulary';
import { checkedContent, DamagedBytesError } from '@milepost/trail-codec/bit-reader';
import { FIELDS, FORMAT, FORMAT_HALVES, NIBBLES, SPEEDS, TYPES } from './format.ts';

// The compiler inlines local constants, but not imported ones.
const { CHARACTERS, END } = NIBBLES;

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
