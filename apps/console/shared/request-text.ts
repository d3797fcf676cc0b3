/** Longer strings would make the page slow. */
const MAX_CHARACTERS = 50_000;
const MAX_LINES = 30;

/** Quotes a string for a shell. An id may contain any character except control characters. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * A GET request as a shell command.
 *
 * @param authorization the `Authorization` header, with a shell variable in place of the key
 */
export function shellCommand(url: string, authorization: string): string {
  return `curl -sS ${shellQuoted(url)} -H 'Content-Type: application/json' -H "Authorization: ${authorization}"`;
}

/** Returns the first few lines as one string, followed by the number of omitted lines. */
export function firstLines(lines: readonly string[]): string {
  const others = lines.length - MAX_LINES;
  const first = lines.slice(0, MAX_LINES).join('\n');
  return others > 0 ? `${first}\n… and ${others} more of the same kind` : first;
}

/** The first characters of a string, and the number of omitted characters. The file contains the whole string. */
export function firstCharacters(text: string): string {
  const others = text.length - MAX_CHARACTERS;
  return others > 0 ? `${text.slice(0, MAX_CHARACTERS)}\n… ${others} more characters are in the file.` : text;
}
