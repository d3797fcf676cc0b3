import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { ingestFiles } from '@milepost/ingest/files';
import { validateFile } from '@milepost/ingest/validate-file';
import { ROLES } from '@milepost/postgres';
import { describe, expect, it } from 'vitest';
import { readBytes } from '../../../apps/ingest/files/open.ts';
import { startPostgresProxy } from '../../support/faults/postgres-proxy.ts';
import { openFolder, perSuite, untilTestEnds } from '../../support/fixtures.ts';
import { onlyLane } from '../../support/ingest-lanes.ts';
import { openPool } from '../../support/pipeline.ts';
import { describeWithOwnLog } from '../../support/pipeline-suites.ts';
import { numberedProfiles, numberedTrips } from '../../support/records.ts';
import { valuesOf } from '../../support/tables.ts';

/** More than two batches. */
const RECORDS = 1_100;

const { signal } = new AbortController();

describeWithOwnLog('an ingested file', (log) => {
  const ingest = async (file: string, pool = log.ingest) =>
    await ingestFiles({ lanes: onlyLane(pool), files: [file], signal });
  const storedCount = async () => (await valuesOf(log.owner, 'SELECT count(*) FROM stored_event'))[0];

  async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
    const file = join(untilTestEnds(await openFolder()).path, name);
    await writeFile(file, content);
    return file;
  }

  const lines = numberedTrips(RECORDS, { trail_path: [], events: [] })
    .map((trip) => JSON.stringify(trip))
    .join('\n');

  it('is refused if it is not a regular file', async () => {
    const folder = untilTestEnds(await openFolder()).path;
    for (const [file, message] of [
      [folder, `${folder} is a folder: name the files in it.`],
      ['/dev/null', '/dev/null is not a regular file: read it as standard input, with "- < /dev/null"'],
    ] as const) {
      await expect(validateFile({ file, signal, onProgress: () => {} })).rejects.toThrow(message);
      await expect(ingest(file)).rejects.toThrow(message);
    }
  });

  it('is stored once when the connection breaks before the result of a COMMIT arrives', async () => {
    let isCut = false;
    const proxy = await startPostgresProxy(log.url, (client, openUpstream) => {
      const upstream = openUpstream();
      client.pipe(upstream);
      upstream.on('data', (chunk: Buffer) => {
        if (isCut || !chunk.includes('COMMIT\0')) return client.write(chunk);
        isCut = true;
        return client.destroy();
      });
    });
    const pool = untilTestEnds(openPool(untilTestEnds(proxy).url, ROLES.ingest));
    const { counts } = await ingest(await fileOf('records.ndjson', lines), pool);
    expect(isCut).toBe(true);
    expect(counts).toEqual({ read: RECORDS, stored: RECORDS, duplicates: 0, dead_letters: 0 });
  });

  // Without this limit, 500 long records would be in memory at the same time, and one transaction would lock the log
  // while it stores them all.
  it('is stored in transactions, each of which ends with the record that reaches 4 MiB', async () => {
    const spaces = ' '.repeat(1.5 * 1024 * 1024);
    const long = numberedProfiles(6).map((profile) => `${JSON.stringify(profile)}${spaces}\n`);
    const { counts } = await ingest(await fileOf('long.ndjson', long.join('')));
    expect(counts).toMatchObject({ read: 6, stored: 6 });
    const sql = 'SELECT count(*) FROM stored_event GROUP BY xmin::text ORDER BY min(position)';
    expect(await valuesOf(log.owner, sql)).toEqual([3, 3]);
  });

  const packed = gzipSync(lines);
  const damaged = gzipSync('x').subarray(0, 12);

  it('is stored up to the line after which it cannot be read', async () => {
    const error = await ingest(await fileOf('records.ndjson.gz', packed.subarray(0, packed.length * 0.8))).catch(
      String,
    );
    const told = /is stored up to line (\d+), and the rest cannot be read: unexpected end of file/.exec(`${error}`);
    const line = Number(told?.[1]);
    expect(await storedCount()).toBe(line);
    // This is a full batch, plus the lines that were read after it.
    expect(line).toBeGreaterThan(500);
  });

  it.each([
    ['its first line', [lines.split('\n', 1)[0] ?? ''], 1],
    [
      'the last of the refused records before the first accepted one',
      ['{"kind":"a"}', '{"kind":"b"}', '{"kind":"c"}'],
      0,
    ],
  ])('is stored up to %s if the rest cannot be read', async (_what, whole, stored) => {
    const file = await fileOf('records.ndjson.gz', Buffer.concat([gzipSync(`${whole.join('\n')}\n`), damaged]));
    const told = `is stored up to line ${whole.length}, and the rest cannot be read`;
    await expect(ingest(file)).rejects.toThrow(told);
    expect(await storedCount()).toBe(stored);
    const raws = await valuesOf<Buffer>(log.owner, 'SELECT raw FROM dead_letter ORDER BY source_offset');
    expect(raws.map(String)).toEqual(whole.slice(stored));
  });

  it('keeps only the beginning of a line that decompresses to 100 MiB, and reads the lines after it', async () => {
    const first = lines.slice(0, lines.indexOf('\n') + 1);
    const file = await fileOf('records.ndjson.gz', '');
    const zeros = Buffer.alloc(1024 * 1024, ' ');
    function* content() {
      yield Buffer.from(first);
      for (let piece = 0; piece < 100; piece += 1) yield zeros;
      yield Buffer.from(`\n${lines.slice(first.length)}`);
    }
    await pipeline(Readable.from(content()), createGzip({ level: 1 }), createWriteStream(file));
    const { counts } = await ingest(file);
    expect(counts).toEqual({ read: RECORDS + 1, stored: RECORDS, duplicates: 0, dead_letters: 1 });
    const { rows } = await log.owner.query(
      'SELECT source_offset AS line, reason, message, octet_length(raw) + rest_bytes AS bytes FROM dead_letter',
    );
    const message = `The record is ${100 * 1024 * 1024} bytes long, but may be at most 16777216. Its first 65536 bytes are kept.`;
    expect(rows).toEqual([{ line: 2, reason: 'record_too_large', message, bytes: 65536 }]);
    const validated = await validateFile({ file, signal, onProgress: () => {} });
    const found = { read: RECORDS + 1, accepted: RECORDS, refused: 1 };
    expect(validated).toMatchObject({ ...found, faults: [{ lines: [2], message }] });
  });
});

describe('a .gz file', () => {
  const first = gzipSync('one line\n'.repeat(100));
  const member = gzipSync(randomBytes(50_000).toString('hex'));
  const large = gzipSync(randomBytes(2_500_000));
  const zeros = Buffer.alloc(512);
  const folder = perSuite(openFolder);

  async function unpacked(...parts: readonly Uint8Array[]): Promise<number> {
    const file = join(folder.path, 'records.ndjson.gz');
    await writeFile(file, Buffer.concat(parts));
    let bytes = 0;
    for await (const chunk of readBytes(file, signal, () => {})) bytes += chunk.byteLength;
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
