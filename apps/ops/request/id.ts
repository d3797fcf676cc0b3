/** An id from a path; null for what cannot be one, which is then as unknown as an id that nobody has. */
export function readId(text: string): number | null {
  const value = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : null;
}
