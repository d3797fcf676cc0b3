import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { openFolder, perSuite, untilTestEnds } from '../support/fixtures.ts';
import { Processes } from '../support/processes.ts';
import { driverProfile, toNdjson, tripProcessed } from '../support/records.ts';
import { describeWithPostgres } from '../support/service-suites.ts';

/** Retention removes earlier trips from the rollups by running its own replays. */
const trip_start_time = Date.now() - MILLISECONDS_PER_DAY;
const RECORDS = [
  driverProfile(),
  ...Array.from({ length: 50 }, (_, index) =>
    tripProcessed({ source_trip_id: `trip-${index}`, driver_id: `driver-${index % 5}`, trip_start_time }),
  ),
];

describeWithPostgres('commands of two lanes', () => {
  const database = perSuite(createTestDatabase);
  const settings = () => ({ DATABASE_URL: database.url, OPS_PORT: '0', OPS_TOKEN: 'secret', LANES: '2' });
  const processes = perSuite(async () => new Processes(settings()));
  beforeAll(async () => void (await processes.run('migrate')));

  const json = async (...words: string[]) => JSON.parse(await processes.run(...words, '--json'));

  async function liveGenerations(): Promise<number[]> {
    const { projections }: { projections: { generation: number }[] } = await json('status');
    return [...new Set(projections.map(({ generation }) => generation))];
  }

  it('ingest a file, replay its read tables, promote them, roll them back, and move its fleet', async () => {
    processes.start('projector');
    processes.start('ops');
    const file = join(untilTestEnds(await openFolder()).path, 'records.ndjson');
    await writeFile(file, toNdjson(RECORDS));
    expect(await json('ingest', file, '--wait')).toMatchObject({ stored: RECORDS.length, dead_letters: 0 });
    const before = await liveGenerations();
    await processes.run('replay', 'start', 'all', '--promote', '--wait');
    const promoted = await liveGenerations();
    expect(promoted).not.toEqual(before);
    await processes.run('replay', 'rollback', 'all', '--wait');
    expect(await liveGenerations()).toEqual(before);
    const { lane } = (await json('fleets', 'list'))[0];
    expect(await json('fleets', 'move', 'acme', String(1 - lane))).toMatchObject({
      from_lane: lane,
      to_lane: 1 - lane,
      stored_events: RECORDS.length,
    });
  });
});
