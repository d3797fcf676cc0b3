import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { PROJECTIONS } from '@milepost/projections';
import { beforeAll, describe, expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { openFolder, perSuite } from '../support/fixtures.ts';
import { ended, milepost, type Settings, start } from '../support/milepost.ts';
import { toNdjson, tripProcessed } from '../support/records.ts';
import { describeWithKafka, describeWithPostgres } from '../support/service-suites.ts';

describe('the command line', () => {
  it.each([
    ['help', ['--help'], 0],
    ['help of a command', ['keys', 'create', '--help'], 0],
    ['the version', ['--version'], 0],
    ['no command', [], 2],
    ['an unknown command', ['frobnicate'], 2],
    ['an unknown option', ['status', '--frobnicate'], 2],
    ['a missing option', ['keys', 'create'], 2],
    ['a fleet id that no record can have', ['keys', 'create', '--fleet', 'a b'], 2],
    ['ingest from Kafka without brokers', ['ingest'], 2],
    ['an unknown reason code', ['dead-letters', 'list', '--reason', 'bad_luck'], 2],
    ['a file that does not exist', ['ingest', '/nowhere/trips.ndjson'], 1],
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
    // A command that only groups others lists them instead of showing examples.
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

  it('print only the key, store only its hash, and revoke it', async () => {
    const alone = await run(['keys', 'create', '--fleet', 'acme'], settings);
    expect(alone.stdout).toMatch(/^mp_[\w-]{43}\n$/);
    const options = ['--name', 'billing export', '--expires', '2999-12-31', '--rate-limit-per-minute', '600'];
    const words = ['keys', 'create', '--fleet', 'acme', ...options];
    const created = await json<{ id: string; fleet_id: string; key: string }>(...words);
    expect(created).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{8}$/),
      fleet_id: 'acme',
      key: expect.stringMatching(/^mp_/),
      warning: expect.stringContaining('No record of fleet acme'),
    });
    expect((await run(['keys', 'list'], settings)).stdout).toMatch(/billing export.*valid.*2999-12-31.*600/);
    expect((await run(['keys', 'revoke', created.id], settings)).code).toBe(0);
    expect((await run(['keys', 'revoke', 'key_unknown'], settings)).code).toBe(1);
    const list = await json<{ id: string; revoked_at: string | null }[]>('keys', 'list');
    expect(list).toHaveLength(2);
    expect(list.find(({ id }) => id === created.id)?.revoked_at).not.toBeNull();
    expect(JSON.stringify(list)).not.toContain(created.key);
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

    const retried = await run(['dead-letters', 'retry', '--all-open', '--json'], settings);
    expect(retried.code).toBe(1);
    expect(JSON.parse(retried.stdout)).toMatchObject([{ id: Number(id), outcome: 'refused' }]);

    expect((await run(['dead-letters', 'discard', id], settings)).code).toBe(2);
    expect(await json('dead-letters', 'discard', id, '--note', 'a test')).toEqual({ discarded: [Number(id)] });
    expect((await run(['dead-letters', 'discard', id, '--note', 'again'], settings)).code).toBe(1);
    expect(await json('dead-letters', 'list')).toEqual([]);
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

    const projector = start(milepost(['projector']), settings);
    const projectorEnded = ended(projector);
    try {
      const records = toNdjson([tripProcessed({ source_trip_id: 'waited-for' })]);
      const waited = await run(['ingest', '-', '--wait'], settings, records);
      expect(waited).toMatchObject({ code: 0, stdout: '1 read: 1 stored, 0 duplicates, 0 dead letters\n' });
      const after = await json<typeof before & { sources: { topic: string }[] }>('status');
      expect(after.head_position).toBe(before.head_position + 1);
      for (const projection of after.projections) {
        expect(projection).toMatchObject({ checkpoint: after.head_position, lag_events: 0, lag_seconds: 0 });
      }
      expect(after.files_ended).toBe(before.files_ended + 1);
    } finally {
      projector.kill('SIGTERM');
    }
    expect((await projectorEnded).code).toBe(0);
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
      const ingest = start(milepost(['ingest']), kafka);
      const ingestEnded = ended(ingest);
      try {
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
      } finally {
        ingest.kill('SIGTERM');
      }
      expect((await ingestEnded).code).toBe(0);
    });
  });
});
