import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { exportArchive, readFleetRecords, verifyArchive } from '@milepost/archive';
import { eraseDriver } from '@milepost/erasure';
import { beforeEach, expect, it } from 'vitest';
import { archiveLines, archiveOf } from '../../support/archives.ts';
import { openFolder, perTest } from '../../support/fixtures.ts';
import { deliver, openPipeline } from '../../support/pipeline.ts';
import { driverProfile, numberedProfiles } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

/** More lines than one batch of the comparison, which has 500. */
const ROWS = 520;
const { signal } = new AbortController();

describeWithPostgres('the comparison of a large archive with the log', () => {
  const log = perTest(() => openPipeline([]));
  const folder = perTest(openFolder);
  let archived: string[];

  beforeEach(async () => {
    await deliver(log.ingest, numberedProfiles(ROWS));
    const file = join(folder.path, 'log.ndjson.zst');
    await exportArchive({ pool: log.projector, file, signal });
    archived = await archiveLines(file);
  });

  const progress: [number, number][] = [];
  /** Verifies a file that contains these bytes, or a compressed archive that contains these lines. */
  async function verify(content: readonly string[] | Buffer) {
    const file = join(folder.path, 'changed.ndjson.zst');
    await writeFile(file, Buffer.isBuffer(content) ? content : archiveOf(content));
    progress.length = 0;
    return await verifyArchive({ pool: log.operator, file, signal, onProgress: (...each) => progress.push(each) });
  }
  const changedAt = (...numbers: number[]) =>
    archived.map((line, index) => (numbers.includes(index + 1) ? line.replace('"alias":null', '"alias":"x"') : line));
  const difference = 'has different content in the log';

  it('counts all differences in any batch, lists the first 20, and reports its progress', async () => {
    const numbers = [1, 2, ...Array.from({ length: 18 }, (_, index) => index + 490), ROWS];
    const { equal, difference_count, differences } = await verify(changedAt(...numbers));
    expect([equal, difference_count]).toEqual([false, 21]);
    expect(differences).toEqual(numbers.slice(0, 20).map((position) => ({ position, line: position, difference })));
    expect(progress).toEqual([
      [500, ROWS],
      [ROWS, ROWS],
    ]);
  });

  it('finds lines from other ranges, and lines outside their own range', async () => {
    const inRange = (line: string, through: number) => line.replace(`"through":${ROWS}`, `"through":${through}`);
    const [first = '', second = '', third = ''] = archived;
    expect((await verify([first, inRange(second, 2), ...archived.slice(2)])).differences).toEqual([
      {
        position: 2,
        line: 2,
        difference: `belongs to an archive of positions 1 to 2, but the first line belongs to an archive of positions 1 to ${ROWS}`,
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
    expect(await damage(zstdCompressSync('{}'))).toBe(`${reason}its last line does not end in a line feed`);
    expect(await damage(['x'.repeat(36_000_000)])).toBe(`${reason}a line exceeds the maximum length of a record`);
    expect(await damage([])).toBe('the archive has no lines');
    const subfolder = join(folder.path, 'folder');
    await mkdir(subfolder);
    await expect(verifyArchive({ pool: log.operator, file: subfolder, signal })).rejects.toThrow(
      `${subfolder} is not a file: name an archive.`,
    );
  });

  it('names the effect and the earlier position in the log', async () => {
    const profiles = [2, 3, 1, 4].map((revision) => driverProfile({ fleet_id: 'revised', revision }));
    const { headPosition } = await deliver(log.ingest, profiles);
    const file = join(folder.path, 'revised.ndjson.zst');
    await exportArchive({ pool: log.projector, file, signal, from: headPosition - 3 });
    const lines = await archiveLines(file);
    const [first = '', second = '', late = '', fourth = ''] = lines;
    expect(late).toContain('"effective":false');
    const changed = [
      first.replace('"supersedes":null', '"supersedes":1'),
      second.replace(`"supersedes":${headPosition - 3}`, '"supersedes":null'),
      late.replace('"effective":false', '"effective":true'),
      fourth.replace('"effective":true', '"effective":false'),
    ];
    expect((await verify(changed)).differences.map(({ line, difference: found }) => [line, found])).toEqual([
      [1, 'supersedes nothing in the log, and 1 in the archive'],
      [2, `supersedes ${headPosition - 3} in the log, and nothing in the archive`],
      [3, 'is not effective in the log'],
      [4, 'is effective in the log'],
    ]);
    expect(await verify(lines)).toMatchObject({ equal: true, from: headPosition - 3, through: headPosition });
  });

  it('is not needed to copy a fleet: all its records are read in parts and in order', async () => {
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

  it('counts lines whose stored events were erased later, but not as differences', async () => {
    const request = { fleetId: 'acme', reason: 'a test', keepAggregates: false };
    for (const driverId of ['driver-1', 'driver-510']) await eraseDriver(log.eraser, [], { ...request, driverId });
    expect(await verify(archived)).toMatchObject({ equal: true, erased_records: 2, stored_events: ROWS });
    expect(await verify(archived.slice(1))).toMatchObject({ equal: true, erased_records: 1 });
    expect((await verify(archived.slice(2))).differences).toEqual([
      { position: 1, line: 1, difference: 'is missing, as are all positions up to 2' },
    ]);
    await expect(readFleetRecords(log.projector, 'acme', 500, ROWS)).rejects.toThrow(
      'Fleet acme cannot be copied, because its stored event at position 510 has been erased.',
    );
  });
});
