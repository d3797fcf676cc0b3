import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRecordFile } from '../../../apps/ingest/files/open.ts';

const first = gzipSync('one line\n'.repeat(100));
const member = gzipSync(randomBytes(50_000).toString('hex'));
const large = gzipSync(randomBytes(2_500_000));
const zeros = Buffer.alloc(512);

describe('a .gz file', () => {
  let file: string;
  beforeAll(async () => {
    file = join(await mkdtemp(join(tmpdir(), 'milepost-test-gzip-')), 'records.ndjson.gz');
  });
  afterAll(async () => await rm(join(file, '..'), { recursive: true }));

  async function unpacked(...parts: readonly Uint8Array[]): Promise<number> {
    await writeFile(file, Buffer.concat(parts));
    let bytes = 0;
    for await (const chunk of (await openRecordFile(file, new AbortController().signal, () => {})).bytes)
      bytes += chunk.byteLength;
    return bytes;
  }

  it('is read to its end with any number of members and with zero padding', async () => {
    expect(await unpacked(first, member, large, first)).toBe(900 + 100_000 + 2_500_000 + 900);
    expect(await unpacked(first, member, zeros)).toBe(900 + 100_000);
    // The padding begins at the start of a chunk of the file.
    const padding = Buffer.alloc(1024 * 1024 + 5 - first.length);
    expect(await unpacked(first, padding)).toBe(900);
  });

  it.each([
    ['behind a member', [first, zeros, member]],
    ['in another chunk', [large, Buffer.alloc(3_000_000), first]],
    ['at the beginning of another chunk', [member, Buffer.alloc(2 ** 20 - (member.length % 2 ** 20)), first]],
  ])('with other bytes after zero padding is refused, %s', async (_where, parts) => {
    const [sound = first, padding = zeros] = parts;
    const [end, next] = [sound.length, sound.length + padding.length];
    await expect(unpacked(...parts)).rejects.toThrow(
      `zero bytes from byte ${end} on, and other bytes from byte ${next} on`,
    );
  });

  it.each([
    ['one member', [first]],
    ['many', [first, large, member]],
  ])(
    'with bytes that are not gzip after %s is refused, and the error names the first such byte',
    async (_how, parts) => {
      const end = Buffer.concat(parts).length;
      await expect(unpacked(...parts, Buffer.from('not packed\n'))).rejects.toThrow(
        `no gzip member begins at byte ${end}`,
      );
    },
  );

  it('that is truncated is refused', async () => {
    await expect(unpacked(first, member.subarray(0, 100))).rejects.toThrow('unexpected end of file');
    await expect(unpacked(first, first.subarray(0, 1))).rejects.toThrow('unexpected end of file');
  });
});
