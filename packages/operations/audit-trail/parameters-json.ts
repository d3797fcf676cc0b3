const LONGEST_BYTES = 8_192;
const KEPT_CHARACTERS = 2_000;

/** Escapes for U+0000 and for halves of surrogate pairs: valid JSON, and nothing that jsonb takes. */
const NO_TEXT = /\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

function json(value: unknown): string {
  return JSON.stringify(value).replaceAll(NO_TEXT, '\\ufffd');
}

/** Parameters as JSON that jsonb takes whatever was sent, bounded in length. */
export function parametersJson(parameters: object): string {
  const whole = json(parameters);
  if (Buffer.byteLength(whole) <= LONGEST_BYTES) return whole;
  return json({ truncated: JSON.stringify(parameters).slice(0, KEPT_CHARACTERS) });
}
