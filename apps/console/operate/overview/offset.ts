/** Parses an offset. An empty string means the beginning. Returns null for an invalid string. */
export function parseOffset(text: string): 'beginning' | number | null {
  if (text.trim() === '') return 'beginning';
  return /^[0-9]{1,15}$/.test(text.trim()) ? Number(text.trim()) : null;
}
