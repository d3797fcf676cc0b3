import { readdir, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { run } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { startPostgresProxy } from '../support/faults/postgres-proxy.ts';
import { openFolder, perSuite, untilTestEnds } from '../support/fixtures.ts';
import { lockWaiters, whileLocked } from '../support/locks.ts';
import { ROOT, type Settings } from '../support/milepost.ts';
import { deliver, openPipeline, projectAll } from '../support/pipeline.ts';
import { driverProfile, toNdjson, tripDeleted, tripProcessed } from '../support/records.ts';
import { describeWithPostgres } from '../support/service-suites.ts';

/**
 * This file was written by `milepost archive export` of release 0.1.0. It contains two fleets, and profiles with a late
 * revision. One trip was corrected to belong to another driver, one has a late revision, one was deleted, and one was
 * deleted and stored again. One deletion refers to an unknown trip.
 */
const ARCHIVE = join(ROOT, 'test/processes/data/schema-of-0.1.0.ndjson.zst');
const STORED_EVENTS = 27;

describeWithPostgres('milepost archive', () => {
  const databases = [perSuite(createTestDatabase), perSuite(createTestDatabase)];
  const folder = perSuite(openFolder);
  let settings: Settings = {};
  let elsewhere: Settings = {};

  beforeAll(async () => {
    [settings = {}, elsewhere = {}] = databases.map(({ url }) => ({ DATABASE_URL: url, LOG_LEVEL: 'warn' }));
    const records = toNdjson([tripProcessed(), driverProfile(), tripDeleted()]);
    expect((await run(['ingest', '-'], settings, records)).code).toBe(0);
  });

  it('moves the log to a file and, with ingest, into another database', async () => {
    const file = join(folder.path, 'log.ndjson.zst');
    const exported = await run(['archive', 'export', file, '--json'], settings);
    expect(exported).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(exported.stdout)).toEqual({
      file,
      from: 1,
      through: 3,
      stored_events: 3,
      bytes: expect.any(Number),
    });
    expect(await readdir(folder.path)).toEqual(['log.ndjson.zst']);
    const part = await run(
      ['archive', 'export', join(folder.path, 'part.ndjson.zst'), '--from', '2', '--through', '2'],
      settings,
    );
    expect(part.stdout).toMatch(/part\.ndjson\.zst: 1 stored event, positions 2 to 2, [1-9]\d* bytes\n$/);
    expect(await run(['archive', 'verify', file], settings)).toEqual({
      code: 0,
      stdout: `${file} matches the log: 3 stored events, positions 1 to 3\n`,
      stderr: '',
    });

    const missing = await run(['archive', 'verify', file, '--json'], elsewhere);
    expect(missing).toMatchObject({ code: 1, stderr: `milepost: ${file} differs from the log in 3 places.\n` });
    expect(JSON.parse(missing.stdout)).toMatchObject({ from: 1, through: 3, stored_events: 3, equal: false });
    const shown = await run(['archive', 'verify', file], elsewhere);
    expect(shown).toEqual({
      ...missing,
      stdout: expect.stringMatching(/^position +line +difference\n( +[123] +[123] .+\n){3}$/),
    });
    const restored = await run(['ingest', file, '--json'], elsewhere);
    expect(JSON.parse(restored.stdout)).toEqual({ read: 3, stored: 3, duplicates: 0, dead_letters: 0 });
    expect((await run(['archive', 'verify', file], elsewhere)).code).toBe(0);
  });

  it.each([
    ['a file that exists', ['there.ndjson.zst'], 1, 'already exists'],
    ['a position that is not stored', ['new.ndjson.zst', '--through', '4'], 1, 'The log ends at position 3'],
    ['a name that ingest would not decompress', ['new.ndjson'], 2, 'must end in .ndjson.zst'],
    ['a range that ends before it begins', ['new.ndjson.zst', '--from', '3', '--through', '2'], 2, 'greater than'],
    ['a folder that does not exist', [join('nowhere', 'new.ndjson.zst')], 1, 'does not exist'],
  ])('reports %s and writes nothing', async (_what, [name = '', ...words], code, message) => {
    await writeFile(join(folder.path, 'there.ndjson.zst'), '');
    const before = await readdir(folder.path);
    const result = await run(['archive', 'export', join(folder.path, name), ...words], settings);
    expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
    expect(await readdir(folder.path)).toEqual(before);
  });

  it('reports an outage of the database at most once in ten seconds, and continues', async () => {
    const pipeline = untilTestEnds(await openPipeline([]));
    await deliver(pipeline.ingest, [tripProcessed()]);
    const clients = new Set<Socket>();
    let isDown = false;
    let refused = 0;
    const proxy = await startPostgresProxy(pipeline.url, (client, openUpstream) => {
      if (isDown) {
        refused += 1;
        client.destroy();
        return;
      }
      clients.add(client);
      const upstream = openUpstream();
      client.pipe(upstream).pipe(client);
    });
    onTestFinished(proxy.close);
    let stoppedAt = 0;
    const interrupt = async () => {
      await lockWaiters(pipeline.owner, 1);
      isDown = true;
      stoppedAt = performance.now();
      for (const client of clients) client.destroy();
      await expect.poll(() => refused).toBeGreaterThan(3);
      isDown = false;
    };
    const { code, stderr } = await whileLocked(
      pipeline.owner,
      'LOCK TABLE stored_event IN ACCESS EXCLUSIVE MODE',
      interrupt,
      async () => await run(['archive', 'export', join(folder.path, 'outage.ndjson.zst')], { DATABASE_URL: proxy.url }),
    );
    expect(code, stderr).toBe(0);
    const reports = stderr.split('The database is not responding at the moment').length - 1;
    expect(reports).toBeGreaterThan(0);
    expect(reports).toBeLessThanOrEqual(1 + Math.floor((performance.now() - stoppedAt) / 10_000));
  });

  it('reports how many records of erased drivers an earlier archive still contains', async () => {
    const file = join(folder.path, 'before-erasure.ndjson.zst');
    expect((await run(['archive', 'export', file], settings)).code).toBe(0);
    const { fleet_id, driver_id } = tripProcessed();
    const words = ['drivers', 'erase', '--fleet', fleet_id, '--driver', driver_id, '--reason', 'case 1', '--yes'];
    const erased = await run(words, settings);
    expect(erased).toMatchObject({ code: 0, stdout: expect.stringContaining('Earlier archives still contain') });
    const verified = await run(['archive', 'verify', file], settings);
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('matches the log') });
    expect(verified.stderr).toBe(
      `${file} still contains 3 records of erased drivers: delete this file, or export the log again.\n`,
    );
  });

  it('moves a database of release 0.1.0, with its positions, into one whose read tables pass an audit', async () => {
    const pipeline = untilTestEnds(await openPipeline());
    const settings = { DATABASE_URL: pipeline.url, LOG_LEVEL: 'warn' };
    const ingested = await run(['ingest', ARCHIVE, '--json'], settings);
    expect(JSON.parse(ingested.stdout)).toEqual({
      read: STORED_EVENTS,
      stored: STORED_EVENTS,
      duplicates: 0,
      dead_letters: 0,
    });
    const verified = await run(['archive', 'verify', ARCHIVE, '--json'], settings);
    expect(verified.code).toBe(0);
    expect(JSON.parse(verified.stdout)).toMatchObject({ from: 1, through: STORED_EVENTS, equal: true });
    await projectAll(pipeline);
    expect((await run(['audit', '--json'], settings)).code).toBe(0);
    const rows = await pipeline.rows(
      `SELECT (SELECT count(*) FROM trips) AS trips, (SELECT count(*) FROM drivers) AS drivers,
         (SELECT count(*) FROM stored_event WHERE NOT effective) AS late, (SELECT count(*) FROM fleets) AS fleets`,
    );
    expect(rows).toEqual([{ trips: 14, drivers: 4, late: 2, fleets: 2 }]);
  });
});
