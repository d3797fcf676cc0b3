/**
 * Trip events as half bytes: the characters of numbers take one each, and what stands between two numbers is a phrase.
 * JSON.stringify writes trip events with 17 different phrases, and after most of them always the same one follows, which
 * takes one half byte too. The tables are the format: what was written with them stays stored, so they never change.
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
const FIRST = 0;
/** These and those behind them end the array. */
const FIRST_ENDING = 15;

/** The first 14 values of a half byte stand for these. */
const CHARACTERS = '0123456789.-e+';
const EXPECTED_PHRASE = 14;
/** Another half byte follows, with the number of the phrase less one: the first phrase always is the one expected. */
const OTHER_PHRASE = 15;

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

/** The half bytes behind a first byte `format`; null when the text is not made of numbers and phrases. */
export function packPhrases(json: string, format: number): Uint8Array | null {
  const packed = new Uint8Array(2 + (json.length >>> 1));
  packed[0] = format;
  let halves = 2;
  let expected = FIRST;
  for (let at = 0; at < json.length; ) {
    const symbol = SYMBOLS[json.charCodeAt(at)] ?? NO_SYMBOL;
    if (symbol !== NO_SYMBOL) {
      halves = put(packed, halves, symbol);
      at++;
      continue;
    }
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
  }
  return null;
}

/** What `packPhrases` was given. Throws when the bytes are cut short or longer than what they spell. */
export function unpackPhrases(packed: Uint8Array): string {
  const end = packed.length * 2;
  let json = '';
  let expected = FIRST;
  for (let at = 2; at < end; ) {
    const half = halfAt(packed, at++);
    if (half < EXPECTED_PHRASE) {
      json += CHARACTERS[half];
      continue;
    }
    const phrase = half === OTHER_PHRASE ? halfAt(packed, at++) + 1 : expected;
    json += PHRASES[phrase];
    if (phrase >= FIRST_ENDING) {
      if (end - at > 1 || (at < end && halfAt(packed, at) !== 0)) break;
      return json;
    }
    expected = EXPECTED[phrase] ?? FIRST;
  }
  throw new Error('Trip events are damaged: their bytes do not end where their text does.');
}

function halfAt(packed: Uint8Array, at: number): number {
  return ((packed[at >>> 1] ?? 0) >>> (4 * (at & 1))) & 15;
}
