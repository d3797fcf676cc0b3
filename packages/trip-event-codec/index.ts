import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { packPhrases, unpackPhrases } from './phrases.ts';

/** First bytes of the packed forms, which are stored for good: neither the dictionary below nor the phrases ever change. */
const DEFLATED = 1;
/** Written by earlier releases. */
const PHRASED = 2;
const SHARED = 3;

function example(type: number, name: string, data: string): string {
  return `{"event_type":${type},"event_name":"${name}","event_start_timestamp":17,"event_end_timestamp":17,"event_start_latitude":3,"event_start_longitude":-,"event_end_latitude":3,"event_end_longitude":-,"event_data":${data}},`;
}

/** What trip events look like, the commonest last, as deflate finds near matches cheapest. */
const DICTIONARY = Buffer.from(
  [
    example(1, 'RAPID_ACCELERATION', '{}'),
    example(2, 'HARD_BRAKE', '{}'),
    example(7, 'PHONE_USE', '{}'),
    example(9, 'OVERSPEEDING', '{"user_speed_mph":4,"speed_limit_mph":4,"max_user_speed_mph":4}'),
  ].join(''),
);

/** A window of 2 KiB and little memory: a few hundred bytes need no more, and setting up more would take longer than they do. */
const OPTIONS = { dictionary: DICTIONARY, windowBits: 11 };

/**
 * Packs the JSON array of a trip's events, as it is served, to about a ninth: nine tenths of it are names. Same text, same
 * bytes. What is not written as JSON.stringify writes trip events is deflated, which takes several times as long.
 */
export function packTripEvents(json: string): Uint8Array {
  return packPhrases(json, SHARED) ?? deflated(json);
}

function deflated(json: string): Uint8Array {
  const packed = deflateRawSync(json, { ...OPTIONS, level: 6, memLevel: 2 });
  return Buffer.concat([Buffer.of(DEFLATED), packed]);
}

/** The JSON that `packTripEvents` was given. Throws when the bytes are damaged or of a later format. */
export function unpackTripEvents(bytes: Uint8Array): string {
  if (bytes[0] === PHRASED || bytes[0] === SHARED) return unpackPhrases(bytes, bytes[0] === SHARED);
  if (bytes[0] === DEFLATED) return inflateRawSync(bytes.subarray(1), OPTIONS).toString();
  throw new Error(`Trip events of format ${bytes[0]} cannot be read: ${DEFLATED} to ${SHARED} are the ones known.`);
}
