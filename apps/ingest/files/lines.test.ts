import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBlank, readLines } from './lines.ts';

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += size) yield bytes.subarray(start, start + size);
}

async function linesOf(text: string, size: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readLines(chunksOf(Buffer.from(text), size))) lines.push(Buffer.from(line.bytes).toString());
  return lines;
}

describe('lines of a file', () => {
  it('loses and joins nothing, however the bytes are cut', async () => {
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

  it('begin behind a byte order mark, and keep one that stands anywhere else', async () => {
    for (const size of [1, 2, 3, 100]) {
      expect(await linesOf('\ufeff{}\n\ufeff{}', size)).toEqual(['{}', '\ufeff{}']);
      expect(await linesOf('\ufeff\n{}', size)).toEqual(['', '{}']);
      expect(await linesOf('\ufeff', size)).toEqual(['']);
    }
  });

  it('knows a blank line from a record', () => {
    expect(isBlank(Buffer.from(' \t\r'))).toBe(true);
    expect(isBlank(Buffer.from(''))).toBe(true);
    expect(isBlank(Buffer.from('{'))).toBe(false);
  });
});
