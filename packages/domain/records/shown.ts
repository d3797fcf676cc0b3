const SHOWN_CHARACTERS = 40;

/** A value as it appears in a message: short whatever its size, and without control characters or half characters. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return shownString(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  if (Object.is(value, -0)) return '-0';
  return String(value);
}

function shownString(value: string): string {
  const start = value.slice(0, SHOWN_CHARACTERS);
  // JSON escapes half characters and all control characters but those above U+007E.
  const quoted = JSON.stringify(start).replaceAll(/\p{Cc}/gu, '\ufffd');
  return start.length === value.length ? quoted : `${quoted}... (${value.length} long)`;
}
