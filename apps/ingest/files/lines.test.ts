import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isBlank, readLines } from './lines.ts';

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += size) yield bytes.subarray(start, start + size);
}

async function linesOf(text: string, size: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readLines(chunksOf(Buffer.from(text), size))) lines.push(Buffer.from(line.value).toString());
  return lines;
}

it("a file's lines are all complete and separate, however the bytes are split into chunks", async () => {
  const text = fc
    .array(fc.constantFrom('a', 'é', '😀', '\n', '\r', '{}'), { maxLength: 60 })
    .map((all) => all.join(''));
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (content, size) => {
      const expected = content.split('\n');
      if (expected.at(-1) === '') expected.pop();
      expect(await linesOf(content, size)).toEqual(expected);
    }),
  );
});

it("a file's lines begin after a byte order mark, and keep such a mark in any other place", async () => {
  for (const size of [1, 2, 3, 100]) {
    expect(await linesOf('\ufeff{}\n\ufeff{}', size)).toEqual(['{}', '\ufeff{}']);
    expect(await linesOf('\ufeff\n{}', size)).toEqual(['', '{}']);
    expect(await linesOf('\ufeff', size)).toEqual(['']);
  }
});

it("a file's lines keep only their first bytes when they are too long, however the chunks split them", async () => {
  const limit = 32 * 1024 * 1024;
  const long = 'x'.repeat(limit + 1);
  const content = Buffer.from(`first\n${long}\n${long.slice(1)}\nlast`);
  for (const size of [100_000, 7 * 1024 * 1024, content.length]) {
    const lines: [number, number, string | undefined][] = [];
    for await (const { offset, value, refusal } of readLines(chunksOf(content, size))) {
      lines.push([offset, value.byteLength, refusal?.message]);
    }
    const message = `The record is ${limit + 1} bytes long, but may be at most 16777216. Its first 65536 bytes are kept.`;
    expect(lines).toEqual([
      [1, 5, undefined],
      [2, 65_536, message],
      [3, limit, undefined],
      [4, 4, undefined],
    ]);
  }
});

it("a file's lines are blank when they contain only white space", () => {
  expect(isBlank(Buffer.from(' \t\r'))).toBe(true);
  expect(isBlank(Buffer.from(''))).toBe(true);
  expect(isBlank(Buffer.from('{'))).toBe(false);
});
