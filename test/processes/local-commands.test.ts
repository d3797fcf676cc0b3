import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { openFolder, perSuite } from '../support/fixtures.ts';
import { ended, milepost, ROOT, runOnTerminal, start } from '../support/milepost.ts';
import { toNdjson, tripProcessed } from '../support/records.ts';

const folder = perSuite(openFolder);

describe('wrong usage', () => {
  it.each([
    [['stat'], "Unknown command 'stat'. Did you mean status?\nAdd --help to see the commands and options."],
    [
      ['size', '--trips-per-day', '0'],
      "Option '--trips-per-day <number>' argument '0' is invalid. It must be a whole number, 1 or more.\nAdd --help to see the commands and options.",
    ],
    [
      ['completion', 'tcsh'],
      "Command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish.\nAdd --help to see the commands and options.",
    ],
    [['ingest', '--wait'], '--wait, --json and --force apply to files only: name at least one file.'],
    [['simulate', '--drivers', '1', '--days', '1', '--points', '2'], '--points needs --standard.'],
    ...['milepost.trips', 'a/b/0', '/0', 'milepost.trips/0x'].map((source): [string[], string] => [
      ['sources', 'accept', source, '--from', 'beginning'],
      `Command-argument value '${source}' is invalid for argument 'sources'. It must be a topic and a partition, such as milepost.trips/0.\nAdd --help to see the commands and options.`,
    ]),
    [
      ['simulate', '--drivers', '1', '--days', '1', '--out', 'x.ndjson', '--kafka'],
      "Option '--out <file>' cannot be used with option '--kafka'.\nAdd --help to see the commands and options.",
    ],
    [
      ['simulate', '--drivers', '1', '--days', '1', '--kafka'],
      '--kafka needs KAFKA_BROKERS (host:port, separated by commas).',
    ],
  ])('%j is refused with a sentence that says what is correct', async (words, sentence) => {
    expect(await run(words, {})).toEqual({ code: 2, stdout: '', stderr: `milepost: ${sentence}\n` });
  });
});

it('the version is the one in the manifest', async () => {
  const { version } = JSON.parse(await readFile(join(ROOT, 'apps/cli/package.json'), 'utf8'));
  for (const flag of ['-V', '--version']) {
    expect(await run([flag], {})).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  }
});

it("a command shows Node's warnings, except those about negative timeouts", async () => {
  const warn = `process.once('beforeExit', () => {
    setTimeout(() => {}, -1);
    process.emitWarning('kept');
  })`;
  const [node, ...words] = milepost(['schema', 'trip.deleted']);
  const command = [node, '--import', `data:text/javascript,${encodeURIComponent(warn)}`, ...words] as const;
  const { code, stderr } = await ended(start([...command], {}));
  expect(code).toBe(0);
  expect(stderr).toContain('Warning: kept');
  expect(stderr).not.toContain('TimeoutNegativeWarning');
});

describe.runIf(process.platform === 'linux')('a command whose output is lost', () => {
  const inShell = async (script: string, words: string[]) =>
    await ended(start(['sh', '-c', script, 'sh', ...milepost(words)], {}));

  it.each([
    ['schema', 'trip.deleted'],
    ['simulate', '--drivers', '1', '--days', '1'],
  ])('fails with one sentence if the disk is full: %s', async (...words) => {
    // Every write to this file fails as if the disk were full.
    expect(await inShell('"$@" > /dev/full', words)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^milepost: The output cannot be written: ENOSPC[^\n]*\.\n$/),
    });
  });

  it('succeeds when the reader has seen enough', async () => {
    const words = ['simulate', '--drivers', '5', '--days', '5'];
    const { code, stdout, stderr } = await inShell('{ "$@"; echo "code $?" >&2; } | head -n 1', words);
    expect([code, stderr]).toEqual([0, 'code 0\n']);
    expect(stdout).toMatch(/^\{.*\}\n$/);
  });
});

it('milepost size has the documented defaults, and prints a table unless JSON is requested', async () => {
  const words = ['size', '--trips-per-day', '1000000'];
  const { stdout } = await run([...words, '--json'], {});
  expect((await run([...words, '--points', '300', '--days', '400', '--peak', '4', '--json'], {})).stdout).toBe(stdout);
  for (const option of ['--points', '--days', '--peak'])
    expect((await run([...words, option, '7', '--json'], {})).stdout).not.toBe(stdout);
  expect((await run(words, {})).stdout).toMatch(/^resource +estimate\n[\s\S]*\nstored trips +400,000,000\n/);
});

describe('milepost simulate', () => {
  const END = ['--end', '2025-01-31'];
  const records = (text: string): { kind: string; fleet_id: string; trail_path?: unknown[] }[] =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

  it('writes the given number of standard trips for the given fleet, instead of a whole fleet', async () => {
    const words = ['simulate', '--drivers', '2', '--days', '1', ...END, '--fleet', 'bench', '--standard', '3'];
    const { code, stdout } = await run([...words, '--points', '2'], {});
    expect(code).toBe(0);
    const trips = records(stdout);
    expect(trips[0]?.trail_path).toHaveLength(2);
    expect(trips.map(({ kind, fleet_id }) => [kind, fleet_id])).toEqual(Array(3).fill(['trip.processed', 'bench']));
  });

  it('writes what it would otherwise print to a new file, compressed if the name says so', async () => {
    const words = ['simulate', '--drivers', '1', '--days', '1', ...END, '--seed', '0'];
    const printed = await run(words, {});
    const file = join(folder.path, 'fleet.ndjson.zst');
    expect(await run([...words, '--out', file], {})).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(zstdDecompressSync(await readFile(file)).toString()).toBe(printed.stdout);
    const zipped = join(folder.path, 'fleet.ndjson.gz');
    expect(await run([...words, '--out', zipped], {})).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(gunzipSync(await readFile(zipped)).toString()).toBe(printed.stdout);
    expect((await run(words, {})).stdout).toBe(printed.stdout);
    expect((await run(['simulate', '--drivers', '1', '--days', '1', ...END], {})).stdout).not.toBe(printed.stdout);
    expect((await run([...words, '--out', join(folder.path, 'no', 'x')], {})).code).toBe(1);
    expect((await readdir(folder.path)).sort()).toEqual(['fleet.ndjson.gz', 'fleet.ndjson.zst']);
  });
});

// On other systems, the `script` command has different options.
it.runIf(process.platform === 'linux')('an export in a binary format is not printed on a terminal', async () => {
  const [day = ''] = new Date(Date.now() - 7 * 86_400_000).toISOString().split('T');
  const words = ['export', 'days', '--fleet', 'acme', '--from', day, '--to', day, '--format'];
  const database = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
  const onTerminal = async (format: string, ...more: string[]) =>
    await runOnTerminal([...words, format, ...more], database, { question: 'no question', answer: '' });
  const refusal = 'Parquet is binary: name a file with --output, or redirect stdout.';
  expect(await onTerminal('parquet')).toEqual({ code: 2, output: expect.stringContaining(refusal) });
  // The other commands are accepted and then need a database.
  for (const accepted of [
    await onTerminal('csv'),
    await onTerminal('parquet', '--output', join(folder.path, 'days.parquet')),
  ]) {
    expect(accepted).toEqual({ code: 1, output: expect.not.stringContaining('binary') });
  }
  expect(await run([...words, 'parquet'], database)).toMatchObject({
    code: 1,
    stderr: expect.not.stringContaining('binary'),
  });
});

it('milepost ingest reads none of its files if one of them is missing, no matter which', async () => {
  const file = join(folder.path, 'there.ndjson');
  await writeFile(file, toNdjson([tripProcessed()]));
  const missing = join(folder.path, 'missing.ndjson');
  for (const files of [
    [file, missing],
    ['-', missing, file],
  ]) {
    // A command that reads a file needs a database, and would report that none responds.
    expect(await run(['ingest', ...files], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })).toEqual({
      code: 1,
      stdout: '',
      stderr: `milepost: The file ${missing} does not exist or is not readable; nothing has been ingested.\n`,
    });
  }
});
