import Type, { type TObject } from 'typebox';

/** Stands for what spells no text: a lone surrogate, which no text read from UTF-8 holds. */
const MALFORMED = '\ud800';

function decode(text: string): string {
  // Most texts are spelled plainly, and a summary's request has twenty of them.
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return MALFORMED;
  }
}

/**
 * Decodes a query string as forms encode it: a text by name, or a list where a name is given several times. What is not
 * UTF-8 in valid percent-encoding becomes a text that is not well-formed.
 */
export function parseQuery(encoded: string): Record<string, unknown> {
  const query = new Map<string, string | string[]>();
  for (const part of encoded.split('&')) {
    const equals = part.indexOf('=');
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    if (name === '' || name === MALFORMED) continue;
    const text = equals === -1 ? '' : decode(part.slice(equals + 1));
    const before = query.get(name);
    if (before === undefined) query.set(name, text);
    else if (typeof before === 'string') query.set(name, [before, text]);
    else before.push(text);
  }
  return Object.fromEntries(query);
}

/**
 * Makes a function that turns the texts of a query into what the schema says they are, in place: integers, booleans, and
 * lists, in which a value given again counts once. A text that is none of its kind stays as it is, for the check to refuse.
 */
export function compileReader({ properties }: TObject): (query: Record<string, unknown>) => void {
  const names = Object.keys(properties);
  const integers = names.filter((name) => Type.IsInteger(properties[name]));
  const booleans = names.filter((name) => Type.IsBoolean(properties[name]));
  const lists = names.filter((name) => Type.IsArray(properties[name]));
  return (query) => {
    for (const name of integers) {
      const text = query[name];
      // Number() alone would take " 5", "5.0", "0x5" and "5e0" as well.
      if (typeof text === 'string' && /^[0-9]+$/.test(text)) query[name] = Number(text);
    }
    for (const name of booleans) {
      const text = query[name];
      if (text === 'true' || text === 'false') query[name] = text === 'true';
    }
    for (const name of lists) {
      const texts = query[name];
      if (texts !== undefined) query[name] = Array.isArray(texts) ? [...new Set(texts)] : [texts];
    }
  };
}
