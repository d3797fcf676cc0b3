/** Reports an invalid string. `rest` continues a sentence that begins with the name of the setting. */
type Wrong = (rest: string) => undefined;

/** Parses a string, or calls `wrong` if the string is invalid. */
export type Parse<Value> = (text: string, wrong: Wrong) => Value | undefined;

/** The declaration of a setting. Its value is the default if the string is missing or invalid. */
export interface Setting<Value> {
  readonly parse: Parse<Value>;
  readonly default: Value;
}

/** Declares a setting. Without a default, the setting is optional. */
export function setting<Value>(parse: Parse<Value>): Setting<Value | undefined>;
export function setting<Value>(parse: Parse<Value>, fallback: Value): Setting<Value>;
export function setting<Value>(parse: Parse<Value>, fallback?: Value): Setting<Value | undefined> {
  return { parse, default: fallback };
}

/** Any text. */
export const text: Parse<string> = (given) => given;

/** A string accepted by `isValid`. The message omits an invalid string, which may be a secret. */
function checkedText(isValid: (given: string) => boolean, rule: string): Parse<string> {
  return (given, wrong) => (isValid(given) ? given : wrong(rule));
}

/** A whole number within limits. */
export function integer(minimum: number, maximum: number): Parse<number> {
  return (given, wrong) => {
    const value = Number(given);
    if (/^\d+$/.test(given) && value >= minimum && value <= maximum) return value;
    return wrong(`must be a whole number from ${minimum} to ${maximum}, but is "${given}"`);
  };
}

/** One of the given words. */
export function word<const Word extends string>(...words: readonly Word[]): Parse<Word> {
  return (given, wrong) =>
    words.find((each) => each === given) ?? wrong(`must be one of ${words.join(', ')}, but is "${given}"`);
}

/** A URL with one of the given schemes. The message omits an invalid URL, which may contain a password. */
export function url(...schemes: readonly string[]): Parse<string> {
  return checkedText(
    (given) => URL.canParse(given) && schemes.includes(new URL(given).protocol.slice(0, -1)),
    `must be a URL such as ${schemes[0]}://user:password@host:port/name`,
  );
}

/** The URL at which clients reach a server behind a proxy, without a trailing slash. */
export const publicUrl: Parse<string> = (given, wrong) => {
  const address = url('http', 'https')(given, wrong);
  if (address === undefined) return undefined;
  const { search, hash, username, password } = new URL(address);
  if (search + hash + username + password !== '')
    return wrong('must be a URL without a query, fragment or password, such as https://example.org/milepost');
  return address.replace(/\/+$/, '');
};

/** Origins of web pages, separated by commas; `*` stands for all. */
export const origins: Parse<readonly string[]> = (given, wrong) => {
  const named = given.split(',').flatMap((origin) => origin.trim() || []);
  const isOrigin = (one: string) => URL.canParse(one) && new URL(one).origin === one && /^https?:/.test(one);
  const invalid = named.find((origin) => origin !== '*' && !isOrigin(origin));
  if (invalid === undefined) return named;
  const rule = 'must list origins such as https://example.org (without a path), separated by commas, or be *';
  return wrong(`${rule}, but contains "${invalid}"`);
};

/** The URL of map tiles, with placeholders for the zoom level and the coordinates. */
export const tileUrl = checkedText(
  (given) =>
    URL.canParse(given) &&
    /^https?:\/\/[\w.:[\]-]+\//.test(given) &&
    ['{z}', '{x}', '{y}'].every((place) => given.includes(place)),
  'must be a URL such as https://tiles.example.org/{z}/{x}/{y}.png',
);

/** A token of characters that a client can send in a header and that the server can compare. */
export const token = checkedText(
  (given) => /^[\x21-\x7e]{1,256}$/.test(given),
  'must be 1 to 256 printable ASCII characters without spaces',
);

/** A password that consists of characters that need not be escaped in a URL. */
export const urlPassword = checkedText(
  (given) => /^[A-Za-z0-9._~-]+$/.test(given),
  'must consist of letters, digits and the characters . _ ~ - only',
);

const MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'] as const;

/** A SASL mechanism, in upper or lower case. */
export const saslMechanism: Parse<(typeof MECHANISMS)[number]> = (given, wrong) =>
  MECHANISMS.find((each) => each === given.toLowerCase()) ??
  wrong(`must be one of ${MECHANISMS.join(', ')}, but is "${given}"`);

/** The address of an OAuth server that issues tokens. */
export const tokenEndpoint = checkedText((given) => {
  const address = URL.canParse(given) ? new URL(given) : null;
  return /^https?:$/.test(address?.protocol ?? '') && address?.username === '' && address.password === '';
}, 'must be an address such as https://login.example.com/oauth2/token, without a login');

/**
 * SASL extensions (RFC 7628, section 3.1), whose names consist of letters and whose values consist of printable
 * characters.
 */
export const saslExtensions: Parse<Record<string, string>> = (given, wrong) => {
  const parts = given.split(',').map((part) => /^([A-Za-z]+)=([\x21-\x7e]+)$/.exec(part.trim()));
  // RFC 7628 reserves "auth" for the token.
  if (parts.some((part) => part === null || part[1] === 'auth'))
    return wrong('must be pairs such as logicalCluster=lkc-1, separated by commas');
  return Object.fromEntries(parts.map((part) => [part?.[1], part?.[2]]));
};
