/** Many texts as one binary value: an array of text would have every quote of their JSON escaped and unescaped again. */
export interface PackedTexts {
  bytes: Buffer;
  /** Where each text starts in `bytes`, counted from 1 as SQL does. */
  starts: number[];
  lengths: number[];
}

/** Packs texts for `UNPACKED_TEXT`. */
export function packTexts(texts: readonly string[]): PackedTexts {
  const parts = texts.map((text) => Buffer.from(text));
  const starts: number[] = [];
  const lengths: number[] = [];
  let start = 1;
  for (const part of parts) {
    starts.push(start);
    lengths.push(part.byteLength);
    start += part.byteLength;
  }
  return { bytes: Buffer.concat(parts), starts, lengths };
}

/** SQL that cuts one text out of the packed bytes in parameter `bytes`, from the columns `start` and `length`. */
export function unpackedText(bytes: string): string {
  return `convert_from(substring(${bytes}::bytea FROM start FOR length), 'UTF8')`;
}
