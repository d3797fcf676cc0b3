import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openRecordFile } from '../../../apps/ingest/files/open.ts';
import { openFolder, perSuite } from '../../support/fixtures.ts';

const first = gzipSync('one line\n'.repeat(100));
const member = gzipSync(randomBytes(50_000).toString('hex'));
const large = gzipSync(randomBytes(2_500_000));
const zeros = Buffer.alloc(512);

describe('a .gz file', () => {
  const folder = perSuite(openFolder);

  async function unpacked(...parts: readonly Uint8Array[]): Promise<number> {
    const file = join(folder.path, 'records.ndjson.gz');
    await writeFile(file, Buffer.concat(parts));
    let bytes = 0;
    for await (const chunk of (await openRecordFile(file, new AbortController().signal, () => {})).bytes)
      bytes += chunk.byteLength;
    return bytes;
  }

  it('is read to the end with any number of members', async () => {
    expect(await unpacked(first, member, large, first)).toBe(900 + 100_000 + 2_500_000 + 900);
  });

  it.each([
    ['in the same chunk', [first, zeros, member]],
    ['in another chunk', [large, Buffer.alloc(3_000_000), first]],
    ['at the beginning of another chunk', [member, Buffer.alloc(2 ** 20 - (member.length % 2 ** 20)), first]],
  ])('with a member after zero bytes is refused, %s', async (_where, parts) => {
    await expect(unpacked(...parts)).rejects.toThrow(`it has more data from byte ${parts[0]?.length} on`);
  });

  it('is refused if it contains other bytes after its members, or a truncated member', async () => {
    await expect(unpacked(first, large, Buffer.from('not packed\n'))).rejects.toThrow('incorrect header check');
    await expect(unpacked(first, member.subarray(0, 100))).rejects.toThrow('unexpected end of file');
    await expect(unpacked(first, first.subarray(0, 1))).rejects.toThrow('unexpected end of file');
  });
});
