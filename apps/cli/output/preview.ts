const LIMIT_BYTES = 2_000;

/** Everything that is no plain text: control characters but for tab and line end, and marks of broken UTF-8. */
const UNPRINTABLE = /[^\P{Cc}\t\n]/gu;

/** The beginning of a record as text that does nothing to a terminal, whatever the bytes. */
export function preview(bytes: Buffer): string {
  const text = bytes.subarray(0, LIMIT_BYTES).toString('utf8').replaceAll(UNPRINTABLE, '\uFFFD');
  return bytes.length > LIMIT_BYTES ? `${text}\n... (${bytes.length} bytes in all: --raw prints them)` : text;
}
