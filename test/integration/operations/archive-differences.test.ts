import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { exportArchive, readFleetRecords, verifyArchive } from '@milepost/archive';
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
  /** Verifies a file with the given bytes, or a compressed archive with the given lines. */
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
    expect(await damage(['x'.repeat(36_000_000)])).toBe(`${reason}a line is longer than any record may be`);
    expect(await damage([])).toBe('the archive has no lines');
    const subfolder = join(folder, 'folder');
    await mkdir(subfolder);
    await expect(verifyArchive({ pool: operator, file: subfolder, signal })).rejects.toThrow(
      `${subfolder} is not a file: name an archive.`,
    );
  });

  it('finds a line that ends within its place in the log', async () => {
    const [first = '', second = ''] = archived;
    const cut = [first, second.slice(0, -5), ...archived.slice(2)];
    const difference = 'does not end with the field "milepost", which gives its position';
    expect((await verify(cut)).differences).toEqual([
      { position: null, line: 2, difference },
      { position: 2, line: 3, difference: 'is missing' },
    ]);
  });

  it('names the effect and the earlier position that the log has', async () => {
    const profiles = [2, 3, 1].map((revision) => driverProfile({ fleet_id: 'revised', revision }));
    const { headPosition } = await deliver(log.ingest, profiles);
    const file = join(folder, 'revised.ndjson.zst');
    await exportArchive({ pool: log.projector, file, signal, from: headPosition - 2 });
    const lines = zstdDecompressSync(await readFile(file))
      .toString()
      .trimEnd()
      .split('\n');
    const [first = '', second = '', late = ''] = lines;
    expect(late).toContain('"effective":false');
    const changed = [
      first,
      second.replace(`"supersedes":${headPosition - 2}`, '"supersedes":null'),
      late.replace('"effective":false', '"effective":true'),
    ];
    expect((await verify(changed)).differences.map(({ line, difference: found }) => [line, found])).toEqual([
      [2, `supersedes ${headPosition - 2} in the log, and nothing in the archive`],
      [3, 'is not effective in the log'],
    ]);
    expect(await verify(lines)).toMatchObject({ equal: true, from: headPosition - 2, through: headPosition });
  });

  it('is not needed for the copy of a fleet, which reads all records in parts and in order', async () => {
    const read: number[] = [];
    const parts: number[] = [];
    for (let after = 0; after < ROWS; ) {
      const { records, through } = await readFleetRecords(log.projector, 'acme', after, ROWS);
      read.push(...records.map(({ offset }) => offset));
      parts.push(through);
      after = through;
    }
    expect(parts).toEqual([500, ROWS]);
    expect(read).toEqual(archived.map((_line, index) => index + 1));
    // The range contains no record of this fleet, and it ends before the last position.
    expect(await readFleetRecords(log.projector, 'unknown', 3, 7)).toEqual({ records: [], through: 7 });
  });

  // This must be the last test, because it changes the log.
  it('counts the lines whose stored events were erased later, which are no differences', async () => {
    const eraser = openPool(log.url, ROLES.eraser);
    const request = { fleetId: 'acme', reason: 'a test', keepAggregates: false };
    for (const driverId of ['driver-1', 'driver-510']) await eraseDriver(eraser, [], { ...request, driverId });
    await eraser.end();
    expect(await verify(archived)).toMatchObject({ equal: true, erased_records: 2, stored_events: ROWS });
    expect(await verify(archived.slice(1))).toMatchObject({ equal: true, erased_records: 1 });
    expect((await verify(archived.slice(2))).differences).toEqual([
      { position: 1, line: 1, difference: 'is missing, as are all positions up to 2' },
    ]);
    await expect(readFleetRecords(log.projector, 'acme', 500, ROWS)).rejects.toThrow(
      'The stored event at position 510 of the fleet acme is erased, so it cannot be copied.',
    );
  });
});
