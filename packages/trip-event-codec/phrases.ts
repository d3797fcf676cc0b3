/**
 * Trip events as half bytes: the characters of numbers take one each, and what stands between two numbers is a phrase.
 * JSON.stringify writes trip events with 17 different phrases, and after most of them always the same one follows, which
 * takes one half byte too. A number often begins as the last one of its kind does: an event ends near its start. So one half
 * byte says how many characters it shares with that one, and they are left out. The tables are the format: what was written
 * with them stays stored, so they never change.
 */

const PHRASES = [
  '[{"event_type":',
  ',"event_name":"OVERSPEEDING","event_start_timestamp":',
  ',"event_end_timestamp":',
  ',"event_start_latitude":',
  ',"event_start_longitude":',
  ',"event_end_latitude":',
  ',"event_end_longitude":',
  ',"event_data":{"user_speed_mph":',
  ',"speed_limit_mph":',
  ',"max_user_speed_mph":',
  '}},{"event_type":',
  ',"event_name":"PHONE_USE","event_start_timestamp":',
  ',"event_name":"HARD_BRAKE","event_start_timestamp":',
  ',"event_name":"RAPID_ACCELERATION","event_start_timestamp":',
  ',"event_data":{}},{"event_type":',
  '}}]',
  ',"event_data":{}}]',
] as const;
/** The phrase expected after each of them. */
const EXPECTED = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 1, 2, 2, 2, 11, 0, 0);
/** The kind of the number behind each of them: a time, a latitude, a longitude, a speed, a speed limit; 0 shares nothing. */
const KIND = Uint8Array.of(0, 1, 1, 2, 3, 2, 3, 4, 5, 4, 0, 1, 1, 1, 0, 0, 0);
const FIRST = 0;
/** These and those behind them end the array. */
const FIRST_ENDING = 15;

/** The first 14 values of a half byte stand for these. */
const CHARACTERS = '0123456789.-e+';
const EXPECTED_PHRASE = 14;
/** Another half byte follows, with the number of the phrase less one: the first phrase always is the one expected. */
const OTHER_PHRASE = 15;

/** What a half byte can say. */
const MOST_SHARED = 15;

const NO_SYMBOL = 255;
const SYMBOLS = new Uint8Array(128).fill(NO_SYMBOL);
for (let symbol = 0; symbol < CHARACTERS.length; symbol++) SYMBOLS[CHARACTERS.charCodeAt(symbol)] = symbol;

/** The phrase that stands at `at`, the expected one first; -1 when there is none. */
function phraseAt(json: string, at: number, expected: number): number {
  if (json.startsWith(PHRASES[expected] ?? '', at)) return expected;
  return PHRASES.findIndex((phrase, index) => index !== FIRST && json.startsWith(phrase, at));
}

/** Writes half byte number `at`, which was not written before, and returns the number of the next. */
function put(packed: Uint8Array, at: number, half: number): number {
  const index = at >>> 1;
  packed[index] = (at & 1) === 0 ? half : (packed[index] ?? 0) | (half << 4);
  return at + 1;
}

/** How many characters two numbers begin with alike. */
function sharedLength(number: string, last: string): number {
  const most = Math.min(number.length, last.length, MOST_SHARED);
  let length = 0;
  while (length < most && number.charCodeAt(length) === last.charCodeAt(length)) length++;
  return length;
}

/** Where the number that begins at `at` ends. */
function endOfNumber(json: string, at: number): number {
  let end = at;
  while ((SYMBOLS[json.charCodeAt(end)] ?? NO_SYMBOL) !== NO_SYMBOL) end++;
  return end;
}

/** The half bytes behind a first byte `format`; null when the text is not made of numbers and phrases. */
export function packPhrases(json: string, format: number): Uint8Array | null {
  const packed = new Uint8Array(2 + (json.length >>> 1));
  packed[0] = format;
  const lastOfKind: string[] = [];
  let halves = 2;
  let expected = FIRST;
  for (let at = 0; at < json.length; ) {
    const phrase = phraseAt(json, at, expected);
    if (phrase < 0) return null;
    if (phrase === expected) {
      halves = put(packed, halves, EXPECTED_PHRASE);
    } else {
      halves = put(packed, halves, OTHER_PHRASE);
      halves = put(packed, halves, phrase - 1);
    }
    at += PHRASES[phrase]?.length ?? 0;
    if (phrase >= FIRST_ENDING) return at === json.length ? packed.slice(0, (halves + 1) >>> 1) : null;
    expected = EXPECTED[phrase] ?? FIRST;
    const end = endOfNumber(json, at);
    const kind = KIND[phrase] ?? 0;
    if (kind > 0) {
      const number = json.slice(at, end);
      const last = lastOfKind[kind];
      if (last !== undefined) {
        const shared = sharedLength(number, last);
        halves = put(packed, halves, shared);
        at += shared;
      }
      lastOfKind[kind] = number;
    }
    while (at < end) halves = put(packed, halves, SYMBOLS[json.charCodeAt(at++)] ?? NO_SYMBOL);
  }
  return null;
}

/**
 * What `packPhrases` was given, or its earlier form, which shared nothing (`shares` false). Throws when the bytes are cut short
 * or longer than what they spell.
 */
export function unpackPhrases(packed: Uint8Array, shares: boolean): string {
  const end = packed.length * 2;
  const lastOfKind: string[] = [];
  let json = '';
  let expected = FIRST;
  for (let at = 2; at < end; ) {
    const half = halfAt(packed, at++);
    if (half < EXPECTED_PHRASE) break;
    const phrase = half === OTHER_PHRASE ? halfAt(packed, at++) + 1 : expected;
    json += PHRASES[phrase];
    if (phrase >= FIRST_ENDING) {
      if (end - at > 1 || (at < end && halfAt(packed, at) !== 0)) break;
      return json;
    }
    expected = EXPECTED[phrase] ?? FIRST;
    const kind = shares ? (KIND[phrase] ?? 0) : 0;
    const last = lastOfKind[kind];
    let number = '';
    if (last !== undefined) {
      const shared = halfAt(packed, at++);
      if (shared > last.length) break;
      number = last.slice(0, shared);
    }
    for (let symbol = halfAt(packed, at); symbol < EXPECTED_PHRASE && at < end; symbol = halfAt(packed, ++at))
      number += CHARACTERS[symbol];
    if (kind > 0) lastOfKind[kind] = number;
    json += number;
  }
  throw new Error('Trip events are damaged: their bytes do not end where their text does.');
}

function halfAt(packed: Uint8Array, at: number): number {
  return ((packed[at >>> 1] ?? 0) >>> (4 * (at & 1))) & 15;
}
