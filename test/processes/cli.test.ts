import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { PROJECTIONS } from '@milepost/projections';
import { beforeAll, describe, expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { openFolder, perSuite, untilTestEnds } from '../support/fixtures.ts';
import type { Settings } from '../support/milepost.ts';
import { startProcess } from '../support/processes.ts';
import { toNdjson, tripProcessed } from '../support/records.ts';
import { describeWithKafka, describeWithPostgres } from '../support/service-suites.ts';

describe('the command line', () => {
  it.each([
    ['help', ['--help'], 0],
    ['help of a command', ['keys', 'create', '--help'], 0],
    ['no command', [], 2],
    ['an unknown option', ['status', '--frobnicate'], 2],
    ['a missing option', ['keys', 'create'], 2],
    ['a fleet id that no record can have', ['keys', 'create', '--fleet', 'a b'], 2],
    ['ingest from Kafka without brokers', ['ingest'], 2],
    ['an unknown reason code', ['dead-letters', 'list', '--reason', 'bad_luck'], 2],
    ['no database anywhere', ['status'], 1],
  ])('exits with the documented code for %s', async (_what, words, code) => {
    const result = await run(words, { MILEPOST_HOME: '/nonexistent' });
    expect(result).toMatchObject({ code, ...(code === 0 ? { stderr: '' } : { stdout: '' }) });
    expect(result.stderr).not.toMatch(/\n\s+at /);
    if (code === 1) expect(result.stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('shows an example in the help of every command', async () => {
    const { stdout } = await run(['--help'], {});
    const commands = [...stdout.matchAll(/^ {2}([a-z-]+)(?: \[| {2,})/gm)].map((match) => match[1] ?? '');
    expect(commands).toContain('simulate');
    const helps = await Promise.all(commands.map((name) => run([name, '--help'], {})));
    // A command that only groups other commands lists them instead of showing examples.
    for (const help of helps) expect(help.stdout).toMatch(/\nExamples?:\n {2}\$ |\nCommands:\n/);
  });
});

describeWithPostgres('commands on a database', () => {
  const database = perSuite(createTestDatabase);
  const folder = perSuite(openFolder);
  let settings: Settings;

  beforeAll(async () => {
    settings = { DATABASE_URL: database.url, LOG_LEVEL: 'warn' };
    expect(await run(['migrate'], settings)).toMatchObject({ code: 0, stdout: '' });
  });

  async function json<Result>(...words: string[]): Promise<Result> {
    const result = await run([...words, '--json'], settings);
    expect(result.code, result.stderr).toBe(0);
    return JSON.parse(result.stdout);
  }

  it('print only the key, and show a table of all keys', async () => {
    const options = ['--name', 'billing export', '--expires', '2999-12-31', '--rate-limit-per-minute', '600'];
    const created = await run(['keys', 'create', '--fleet', 'acme', ...options], settings);
    expect(created.stdout).toMatch(/^mp_[\w-]{43}\n$/);
    expect((await run(['keys', 'list'], settings)).stdout).toMatch(/billing export.*valid.*2999-12-31.*600/);
  });

  it('ingest files, show refused records, and settle them without deleting anything', async () => {
    const file = join(folder.path, 'trips.ndjson.gz');
    const trip = tripProcessed();
    await writeFile(file, gzipSync(`${toNdjson([trip, trip])}{"kind":"\u001b[2J"}\n`));
    const counts = await run(['ingest', file, '--json'], settings);
    expect(counts).toMatchObject({ code: 0, stderr: expect.stringContaining('`milepost dead-letters list` shows') });
    expect(JSON.parse(counts.stdout)).toEqual({ read: 3, stored: 1, duplicates: 1, dead_letters: 1 });

    const listed = await json<{ id: number; reason: string; topic: string; offset: number }[]>('dead-letters', 'list');
    expect(listed).toMatchObject([{ reason: 'invalid_json', topic: `file:${file}`, offset: 3, resolution: null }]);
    const id = String(listed[0]?.id);
    expect((await run(['dead-letters', 'show', id, '--raw'], settings)).stdout).toBe('{"kind":"\u001b[2J"}');
    expect((await run(['dead-letters', 'show', id], settings)).stdout).not.toContain('\u001b');

    expect((await run(['dead-letters', 'discard', id, '--note', 'a test'], settings)).code).toBe(0);
    expect((await run(['dead-letters', 'discard', id, '--note', 'again'], settings)).code).toBe(1);
    expect(await json('dead-letters', 'list', '--source', `file:${file}`, '--all')).toMatchObject([
      { resolution: 'discarded', note: 'a test' },
    ]);
  });

  it('store the lines that precede damage in a file, and name the command that reads the rest', async () => {
    const [first, second] = ['frame-1', 'frame-2'].map((source_trip_id) =>
      zstdCompressSync(toNdjson([tripProcessed({ source_trip_id })])),
    );
    const frames = join(folder.path, 'frames.ndjson.zst');
    await writeFile(frames, Buffer.concat([first ?? '', second ?? ''].map((part) => Buffer.from(part))));
    const refused = await run(['ingest', frames], settings);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`${frames} is stored up to line 1`);
    expect(refused.stderr).toContain(`${frames} | zstd -dc | milepost ingest -`);
  });

  it('show the lag, and with --wait do not exit until the read tables contain the records', async () => {
    const before = await json<{ head_position: number; projections: object[]; files_ended: number }>('status');
    expect(before.projections).toHaveLength(PROJECTIONS.length);
    expect(before.projections[0]).toMatchObject({ checkpoint: 0, lag_events: before.head_position });

    const projector = untilTestEnds(startProcess(['projector'], settings));
    const records = toNdjson([tripProcessed({ source_trip_id: 'waited-for' })]);
    const waited = await run(['ingest', '-', '--wait'], settings, records);
    expect(waited).toMatchObject({ code: 0, stdout: '1 read: 1 stored, 0 duplicates, 0 dead letters\n' });
    const after = await json<typeof before>('status');
    expect(after.head_position).toBe(before.head_position + 1);
    for (const projection of after.projections) {
      expect(projection).toMatchObject({ checkpoint: after.head_position, lag_events: 0, lag_seconds: 0 });
    }
    expect(after.files_ended).toBe(before.files_ended + 1);
    expect(await projector.stop()).toBe(0);
  });

  it('name a database that is not migrated', async () => {
    const url = new URL(database.url);
    url.pathname = '/postgres';
    const file = join(folder.path, 'none.ndjson.zst');
    for (const words of [['status'], ['ingest', '-'], ['archive', 'export', file]]) {
      const result = await run(words, { DATABASE_URL: url.href }, '{}\n');
      expect(result, words[0]).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('milepost migrate'),
      });
    }
  });

  describeWithKafka('with Kafka', (brokers) => {
    it('publish a fleet, and show how many of its records ingest has not yet read', async () => {
      const topic = `cli.${Date.now()}`;
      const kafka = {
        ...settings,
        KAFKA_BROKERS: brokers.join(','),
        KAFKA_TRIPS_TOPIC: `${topic}.trips`,
        KAFKA_DRIVERS_TOPIC: `${topic}.drivers`,
        KAFKA_GROUP_ID: topic,
      };
      const words = `simulate --drivers 3 --days 3 --end 2025-01-31 --fleet cli-${Date.now()}`.split(' ');
      expect(await run([...words, '--kafka'], kafka)).toEqual({ code: 0, stdout: '', stderr: '' });
      const count = (await run(words, {})).stdout.split('\n').filter((line) => line !== '').length;
      const ingest = untilTestEnds(startProcess(['ingest'], kafka));
      await expect
        .poll(async () => {
          const { stdout } = await run(['status', '--json'], kafka);
          const sources: { topic: string; next_offset: number; lag: number | null }[] = JSON.parse(stdout).sources;
          const ours = sources.filter((source) => source.topic.startsWith(topic));
          return {
            read: ours.reduce((sum, source) => sum + source.next_offset, 0),
            lag: ours.reduce((sum, source) => sum + (source.lag ?? Number.NaN), 0),
          };
        })
        .toEqual({ read: count, lag: 0 });
      expect(await ingest.stop()).toBe(0);
    });
  });
});
