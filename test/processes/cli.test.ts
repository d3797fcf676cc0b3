import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { openFolder, perSuite } from '../support/fixtures.ts';
import type { Settings } from '../support/milepost.ts';
import { toNdjson, tripProcessed } from '../support/records.ts';
import { describeWithPostgres } from '../support/service-suites.ts';

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

  it('ingest files, show refused records, settle them without deleting anything, and name the command that reads the rest', async () => {
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

    const frames = join(folder.path, 'frames.ndjson.zst');
    const frame = zstdCompressSync(toNdjson([trip]));
    await writeFile(frames, Buffer.concat([frame, frame]));
    const damaged = await run(['ingest', frames], settings);
    expect(damaged).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('| zstd -dc | milepost ingest -` reads'),
    });
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
});
