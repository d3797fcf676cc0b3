import { type PackedBytes, packBytes } from '@milepost/postgres';

/** Packs texts for `unpackedText`: in an array of text every quote of their JSON would be escaped and unescaped again. */
export function packTexts(texts: readonly string[]): PackedBytes {
  return packBytes(texts.map((text) => Buffer.from(text)));
}

/** SQL that cuts one text out of the packed bytes in parameter `bytes`, from the columns `start` and `length`. */
export function unpackedText(bytes: string): string {
  return `convert_from(substring(${bytes}::bytea FROM start FOR length), 'UTF8')`;
}
