import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { exportArchive, verifyArchive } from '@milepost/archive';
import { eraseDriver } from '@milepost/erasure';
import { type Pool, ROLES } from '@milepost/postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deliver, openPipeline, openPool, type Pipeline } from '../../support/pipeline.ts';
import { driverProfile } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

/** More than a batch of the comparison, which has 500 lines. */
const ROWS = 520;
const { signal } = new AbortController();

describeWithPostgres('the comparison of a large archive with the log', () => {
  let log: Pipeline;
  let operator: Pool;
  let folder: string;
  let archived: string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'milepost-test-differences-'));
    log = await openPipeline([]);
    operator = openPool(log.url, ROLES.operator);
    const drivers = Array.from({ length: ROWS }, (_, index) => `driver-${index + 1}`);
    await deliver(
      log.ingest,
      drivers.map((driver_id) => driverProfile({ fleet_id: 'acme', driver_id })),
    );
    const file = join(folder, 'log.ndjson.zst');
    await exportArchive({ pool: log.projector, file, signal });
    archived = zstdDecompressSync(await readFile(file))
      .toString()
      .trimEnd()
      .split('\n');
  });
  afterAll(async () => {
    await operator?.end();
    await log?.close();
    await rm(folder, { recursive: true });
  });

  const progress: [number, number][] = [];
  /** Compares a file with the given bytes, or a compressed archive with the given lines. */
  async function verify(content: readonly string[] | Buffer) {
    const file = join(folder, 'changed.ndjson.zst');
    const isBytes = Buffer.isBuffer(content);
    await writeFile(file, isBytes ? content : zstdCompressSync(content.map((line) => `${line}\n`).join('')));
    progress.length = 0;
    return await verifyArchive({ pool: operator, file, signal, onProgress: (...each) => progress.push(each) });
  }
  const changedAt = (...numbers: number[]) =>
    archived.map((line, index) => (numbers.includes(index + 1) ? line.replace('"alias":null', '"alias":"x"') : line));
  const difference = 'has different content in the log';

  it('names the line and the position of a difference in any batch, and reports its progress', async () => {
    expect((await verify(changedAt(1, 500, 501, ROWS))).differences).toEqual(
      [1, 500, 501, ROWS].map((position) => ({ position, line: position, difference })),
    );
    expect(progress).toEqual([
      [500, ROWS],
      [ROWS, ROWS],
    ]);
  });

  it('counts all differences, and lists the first 20', async () => {
    const numbers = Array.from({ length: 21 }, (_, index) => index + 490);
    const { equal, difference_count, differences } = await verify(changedAt(...numbers));
    expect([equal, difference_count]).toEqual([false, 21]);
    expect(differences.map(({ line }) => line)).toEqual(numbers.slice(0, 20));
  });

  it('finds lines of other ranges, and lines outside their own range', async () => {
    const inRange = (line: string, through: number) => line.replace(`"through":${ROWS}`, `"through":${through}`);
    const [first = '', second = '', third = ''] = archived;
    expect((await verify([first, inRange(second, 2), ...archived.slice(2)])).differences).toEqual([
      {
        position: 2,
        line: 2,
        difference: `belongs to an archive of positions 1 to 2, but the first line belongs to one of positions 1 to ${ROWS}`,
      },
      { position: 2, line: 3, difference: 'is missing' },
    ]);
    expect((await verify([first, second, third].map((line) => inRange(line, 2)))).differences).toEqual([
      { position: 3, line: 3, difference: "is outside the archive's range of 1 to 2" },
    ]);
  });

  it('explains why a file is not a whole archive', async () => {
    const damage = async (content: readonly string[] | Buffer) =>
      (await verify(content)).differences.at(-1)?.difference;
    const reason = 'cannot be read from here on: ';
    expect(await damage(Buffer.from('{}\n'))).toBe(
      `${reason}the file is not compressed with zstd, but every archive is`,
    );
    expect(await damage(zstdCompressSync('{}'))).toBe(`${reason}its last line does not end with a line feed`);
    expect(await damage(['x'.repeat(20_000_000)])).toBe(`${reason}a line is longer than any record may be`);
    expect(await damage([])).toBe('the archive has no lines');
    const subfolder = join(folder, 'folder');
    await mkdir(subfolder);
    await expect(verifyArchive({ pool: operator, file: subfolder, signal })).rejects.toThrow(
      `${subfolder} is not a file: name an archive.`,
    );
  });

  // The last test, because it changes the log.
  it('counts the lines whose stored events were erased later, which are no differences', async () => {
    const eraser = openPool(log.url, ROLES.eraser);
    const request = { fleetId: 'acme', reason: 'a test', keepAggregates: false };
    for (const driverId of ['driver-1', 'driver-510']) await eraseDriver(eraser, [], { ...request, driverId });
    await eraser.end();
    expect(await verify(archived)).toMatchObject({ equal: true, erased_records: 2, stored_events: ROWS });
  });
});
