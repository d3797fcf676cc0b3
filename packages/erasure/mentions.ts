/** The maximum nesting depth of encoded strings, such as JSON in a message of an audit's report. */
const MAX_NESTED_READINGS = 3;

const JSON_ESCAPE = /\\(?:u([\da-f]{4})|(["\\/bfnrt]))/gi;
const JSON_ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const PERCENT_ENCODED = /(?:%[\da-f]{2})+/gi;
const DOUBLED_QUOTE = /(["'])\1/g;

/** Numbers in Milepost's own messages that are not ids. */
const NUMBER_IN_MESSAGE = /\b(?:position|revision) \d+|\/\d+ offset \d+|\b\d+ rows\b/g;
const ONLY_DIGITS = /^\d+$/;

const LAST_OF_WORD = String.raw`[\p{L}\p{M}\p{N}_]`;
/**
 * Characters that make an id part of a longer word. One case is a letter or digit that is next to the id, or separated
 * from it by a dot or hyphen. The other case is a digit that is separated from the id by a colon.
 */
const JOINED_BEFORE = new RegExp(String.raw`(?:${LAST_OF_WORD}[-.]?|\d:)$`, 'u');
const JOINED_AFTER = new RegExp(String.raw`^(?:[-.]?${LAST_OF_WORD}|:\d)`, 'u');
const BEGINS_WITH_WORD = new RegExp(`^${LAST_OF_WORD}`, 'u');
const ENDS_WITH_WORD = new RegExp(`${LAST_OF_WORD}$`, 'u');
/** Two characters, each of which may be a surrogate pair. */
const MAX_JOINT = 4;

function decodePercent(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run;
  }
}

const DECODERS: readonly ((text: string) => string)[] = [
  (text) =>
    text.replaceAll(JSON_ESCAPE, (_, code?: string, character = '') =>
      code === undefined ? (JSON_ESCAPED[character] ?? character) : String.fromCharCode(Number.parseInt(code, 16)),
    ),
  (text) => text.replaceAll(PERCENT_ENCODED, decodePercent),
  (text) => text.replaceAll(DOUBLED_QUOTE, '$1'),
];

/**
 * Returns the text and its decoded forms: without JSON escapes, without percent-encoding, or without the doubled quotes
 * of SQL.
 */
function readingsOf(text: string): ReadonlySet<string> {
  const readings = new Set([text]);
  for (let round = 0; round < MAX_NESTED_READINGS; round += 1) {
    for (const reading of [...readings]) for (const decode of DECODERS) readings.add(decode(reading));
  }
  return readings;
}

function isWholeWord(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - MAX_JOINT), start);
  const after = text.slice(end, end + MAX_JOINT);
  const id = text.slice(start, end);
  return !(
    (BEGINS_WITH_WORD.test(id) && JOINED_BEFORE.test(before)) ||
    (ENDS_WITH_WORD.test(id) && JOINED_AFTER.test(after))
  );
}

/**
 * Creates a function that returns whether a text mentions an id as a whole word, plain or escaped for JSON, URLs or
 * SQL. The id `7` is in `driver 7` and in `acme/7`, but not in `driver-7` or in `51.7`.
 */
export function mentionsId(id: string): (text: string) => boolean {
  return (text) =>
    readingsOf(ONLY_DIGITS.test(id) ? text.replaceAll(NUMBER_IN_MESSAGE, '') : text)
      .values()
      .some((reading) => {
        for (let at = reading.indexOf(id); at >= 0; at = reading.indexOf(id, at + 1)) {
          if (isWholeWord(reading, at, at + id.length)) return true;
        }
        return false;
      });
}
