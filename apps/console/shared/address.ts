/** Splits a URL fragment into the path's decoded words (null for an invalid word) and the parameters. */
export function parseAddress(fragment: string): { words: (string | null)[]; parameters: URLSearchParams } {
  const [path = '', query = ''] = fragment.split('?');
  const words = path.replace(/^\//, '').split('/').map(decoded);
  return { words, parameters: new URLSearchParams(query) };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/**
 * Returns a URL fragment, such as `/trip/some?page=2`. A list is repeated under its name, and parameters that are null
 * or empty are omitted.
 */
export function fragmentOf(
  words: readonly (string | number)[],
  parameters: Readonly<Record<string, string | number | null | undefined | readonly string[]>> = {},
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    for (const each of [value].flat()) if (each) query.append(name, String(each));
  return `/${words.map(encodeURIComponent).join('/')}${query.size === 0 ? '' : `?${query}`}`;
}
