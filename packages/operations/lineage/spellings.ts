function escaped(text: string, digits: (code: string) => string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${digits(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`);
}

/**
 * The ways in which JSON writers put an id between quotes: as it is, or with \u escapes for all that is not ASCII (in
 * either case of digits), and with or without a backslash before a slash. An odd one, such as \u0041 for A, is not among
 * them.
 */
export function spellingsOf(id: string): Buffer[] {
  const plain = JSON.stringify(id);
  const texts = [plain, escaped(plain, (code) => code), escaped(plain, (code) => code.toUpperCase())];
  const all = new Set(texts.flatMap((text) => [text, text.replaceAll('/', '\\/')]));
  return [...all].map((text) => Buffer.from(text));
}
