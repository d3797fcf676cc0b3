import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ingestFiles } from '@milepost/ingest/files';
import { openLanes } from '@milepost/ingest/lanes';
import { beforeEach, expect, it } from 'vitest';
import { openFolder, perTest, untilTestEnds } from '../../support/fixtures.ts';
import { LaneWorld } from '../../support/lane-world.ts';
import { driverProfile } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const { signal } = new AbortController();

describeWithPostgres('a file with the records of several lanes', () => {
  const world = perTest(() => LaneWorld.create(3));
  const folder = perTest(openFolder);
  beforeEach(async () => {
    await world.place('north', 0);
    await world.place('south', 1);
  });

  const profiles = (fleet_id: string, first: number, count: number) =>
    Array.from({ length: count }, (_, index) =>
      JSON.stringify(driverProfile({ fleet_id, driver_id: `driver-${first + index}` })),
    );

  async function ingest(files: Record<string, string | Uint8Array>) {
    const opened = untilTestEnds(openLanes(world.url, 'milepost-test'));
    const names = Object.keys(files).map((name) => join(folder.path, name));
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder.path, name), content);
    const progress: [bytesRead: number, totalBytes: number | null][] = [];
    const result = await ingestFiles({
      lanes: await opened.read(),
      files: names,
      signal,
      onProgress: (...each) => progress.push(each),
    });
    return { ...result, progress };
  }

  const sourcesOf = async (lane: number) =>
    (
      await world.owner(lane).query(
        `SELECT replace(topic, $1, '') AS topic, next_offset, records_read AS read, records_stored AS stored,
           records_duplicate AS duplicates, records_dead_letter AS letters, records_elsewhere AS elsewhere,
           ended_at IS NOT NULL AS is_ended FROM log_source ORDER BY source_id`,
        [`${folder.path}/`],
      )
    ).rows;

  it("is a source in each lane that stores its records, and counts the other lanes' records everywhere", async () => {
    // The second lane's records begin in the second batch, and the last batch contains none of these records.
    const lines = [...profiles('north', 1, 600), ...profiles('south', 1, 3), ...profiles('north', 601, 900)];
    lines.splice(700, 1, lines[0] ?? '', '', '{broken');
    const { counts, headPositions } = await ingest({ 'records.ndjson': `${lines.join('\n')}\n` });
    expect(counts).toEqual({ read: 1_504, stored: 1_502, duplicates: 1, dead_letters: 1 });
    expect(Object.fromEntries(headPositions)).toEqual({ 0: 1_499, 1: 3 });
    const [north, ...others] = await sourcesOf(0);
    expect(others).toEqual([]);
    expect(north).toEqual({
      topic: 'file:records.ndjson',
      next_offset: 1_506,
      read: 1_504,
      stored: 1_499,
      duplicates: 1,
      letters: 1,
      elsewhere: 3,
      is_ended: true,
    });
    const [south] = await sourcesOf(1);
    expect(south).toMatchObject({ topic: 'file:records.ndjson', stored: 3, duplicates: 0, letters: 0, is_ended: true });
    // The last batches contain no records for the second lane, so the lane's counts end before those batches.
    expect(south.read).toBe(south.stored + south.elsewhere);
    expect(south.elsewhere).toBeGreaterThan(600);
    expect(south.next_offset - 1).toBeLessThanOrEqual(1_505);
    expect(await sourcesOf(2)).toEqual([]);
  });

  it('is read after another file, and both are counted together, with their sizes on disk', async () => {
    const packed = gzipSync(`${profiles('south', 1, 2).join('\n')}\n`);
    const plain = `${profiles('north', 1, 3).join('\n')}\n`;
    const { counts, headPositions, progress } = await ingest({
      'a.ndjson.gz': packed,
      'b.ndjson': plain,
      'c.ndjson': '',
    });
    expect(counts).toEqual({ read: 5, stored: 5, duplicates: 0, dead_letters: 0 });
    expect(Object.fromEntries(headPositions)).toEqual({ 0: 3, 1: 2 });
    const totalBytes = packed.byteLength + plain.length;
    expect(progress).toEqual([
      [packed.byteLength, totalBytes],
      [totalBytes, totalBytes],
    ]);
    // Even a file without records has a source, in the first lane.
    expect((await sourcesOf(0)).map(({ topic, read, is_ended }) => [topic, read, is_ended])).toEqual([
      ['file:b.ndjson', 3, true],
      ['file:c.ndjson', 0, true],
    ]);
    expect((await sourcesOf(1)).map(({ topic, read, next_offset }) => [topic, read, next_offset])).toEqual([
      ['file:a.ndjson.gz', 2, 3],
    ]);
  });
});
