import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { openFolder, perSuite } from '../support/fixtures.ts';
import { milepost, type Settings, start } from '../support/milepost.ts';
import { utcDate } from '../support/model/index.ts';
import { deliverAndProject, openPipeline } from '../support/pipeline.ts';
import { tripProcessed } from '../support/records.ts';
import { describeWithPostgres } from '../support/service-suites.ts';

const DAY = 86_400_000;
const YESTERDAY = utcDate(Date.now() - DAY);
/** More than fits into a process's buffers and a pipe. */
const MANY_TRIPS = 60_000;

describeWithPostgres('milepost export', () => {
  const pipeline = perSuite(openPipeline);
  const folder = perSuite(openFolder);
  let settings: Settings;

  beforeAll(async () => {
    settings = { DATABASE_URL: pipeline.url, LOG_LEVEL: 'warn' };
    const trip_start_time = Date.parse(YESTERDAY);
    await deliverAndProject(pipeline, [
      tripProcessed({ driver_id: 'ann', trip_start_time, trip_end_time: trip_start_time }),
    ]);
  });

  function words(subject: string, ...others: string[]): string[] {
    const defaults = { '--fleet': 'acme', '--from': YESTERDAY, '--to': YESTERDAY, '--format': 'csv' };
    const missing = Object.entries(defaults).filter(([name]) => !others.includes(name));
    return ['export', subject, ...missing.flat(), ...others];
  }

  it('writes only the data to stdout, and the same data to a new file', async () => {
    const printed = await run(words('days'), settings);
    expect(printed).toMatchObject({ code: 0, stderr: '' });
    expect(printed.stdout).toMatch(new RegExp(`^driver_id,date,fm_score,.*\r\nann,${YESTERDAY},.*\r\n$`));
    const file = join(folder.path, 'days.csv');
    expect(await run(words('days', '--output', file), settings)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await readFile(file, 'utf8')).toBe(printed.stdout);
    expect(await readdir(folder.path)).toEqual(['days.csv']);
    await rm(file);
  });

  it.each([
    ['a fleet without records', ['days', '--fleet', 'nobody'], 1, 'The read tables contain no records of fleet nobody'],
    ['a file that exists', ['days', '--output', 'there.csv'], 1, 'already exists'],
    ['a folder that does not exist', ['days', '--output', join('nowhere', 'new.csv')], 1, 'does not exist'],
  ])('reports %s in one sentence and writes nothing', async (_what, [subject = '', ...others], code, message) => {
    await writeFile(join(folder.path, 'there.csv'), 'kept');
    const given = others.map((word) => (word.endsWith('.csv') ? join(folder.path, word) : word));
    const result = await run(words(subject, ...given), settings);
    expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
    expect(await readFile(join(folder.path, 'there.csv'), 'utf8')).toBe('kept');
    expect(await readdir(folder.path)).toEqual(['there.csv']);
  });

  it('exits quietly when the reader closes the pipe', async () => {
    await pipeline.owner.query(
      `INSERT INTO trips_1 (trip_start_time, trip_end_time, position, trip_id, fleet_id, driver_id, list_entry)
       SELECT trip_start_time, trip_end_time, position, gen_random_uuid(), fleet_id, driver_id, list_entry
       FROM trips_1, generate_series(1, $1)`,
      [MANY_TRIPS],
    );
    const child = start(milepost(words('trips')), settings);
    let errors = '';
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect([...(await once(child, 'close')), errors]).toEqual([0, null, '']);
  });
});
