import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ingestFiles } from '@milepost/ingest/files';
import { ROLES } from '@milepost/postgres';
import { expect, it, onTestFinished } from 'vitest';
import { startStandIn } from '../../support/faults/stand-in-postgres.ts';
import { openPipeline, openPool } from '../../support/pipeline.ts';
import { tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

/** More than two batches. */
const RECORDS = 1_100;

describeWithPostgres('a file that is ingested', () => {
  async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'milepost-test-file-'));
    onTestFinished(async () => await rm(folder, { recursive: true }));
    const file = join(folder, name);
    await writeFile(file, content);
    return file;
  }

  const lines = Array.from({ length: RECORDS }, (_, index) =>
    JSON.stringify(tripProcessed({ source_trip_id: `trip-${index}`, trail_path: [], events: [] })),
  ).join('\n');

  it('is stored once when the connection is cut while the outcome of a COMMIT is on its way', async () => {
    const log = await openPipeline([]);
    onTestFinished(log.close);
    let isCut = false;
    const standIn = await startStandIn(log.url, (client, openUpstream) => {
      const upstream = openUpstream();
      client.pipe(upstream);
      upstream.on('data', (chunk: Buffer) => {
        if (isCut || !chunk.includes('COMMIT\0')) return client.write(chunk);
        isCut = true;
        return client.destroy();
      });
    });
    onTestFinished(standIn.close);
    const pool = openPool(standIn.url, ROLES.ingest);
    onTestFinished(async () => await pool.end());
    const { signal } = new AbortController();
    const { counts } = await ingestFiles({ pool, files: [await fileOf('records.ndjson', lines)], signal });
    expect(isCut).toBe(true);
    expect(counts).toEqual({ read: RECORDS, stored: RECORDS, duplicates: 0, dead_letters: 0 });
  });

  it('is stored up to the line at which it cannot be read on', async () => {
    const log = await openPipeline([]);
    onTestFinished(log.close);
    const packed = gzipSync(lines);
    const file = await fileOf('records.ndjson.gz', packed.subarray(0, packed.length * 0.8));
    const { signal } = new AbortController();
    const error = await ingestFiles({ pool: log.ingest, files: [file], signal }).then(() => '', String);
    const line = /is stored up to line (\d+) and cannot be read on: unexpected end of file/.exec(error)?.[1];
    const { rows } = await log.owner.query('SELECT count(*) AS stored FROM log.stored_event');
    expect(rows).toEqual([{ stored: Number(line) }]);
    // A full batch, and what was read of the next one.
    expect(Number(line)).toBeGreaterThan(500);
  });
});
