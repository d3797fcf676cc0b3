import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SimulatedRecord } from '@milepost/sample-fleet';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeToFile } from '../../../apps/cli/simulate/to-ndjson.ts';

const { signal } = new AbortController();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-test-sample-'));
});
afterAll(async () => await rm(folder, { recursive: true }));

/** Yields records of 100 KiB, so that a chunk of the file ends after every third record. */
function* largeRecords(count: number): Generator<SimulatedRecord> {
  for (let index = 0; index < count; index += 1) {
    yield { topic: 'trips', key: 'acme/ann', value: JSON.stringify({ index, filler: 'x'.repeat(102_400) }) };
  }
}

it.each([0, 1, 3, 10])('a file of %i large sample records has each record on its own line', async (count) => {
  const file = join(folder, `${count}.ndjson`);
  await writeToFile(largeRecords(count), file, signal);
  const lines = (await readFile(file, 'utf8')).split('\n');
  expect(lines.at(-1)).toBe('');
  expect(lines.slice(0, -1)).toEqual([...largeRecords(count)].map(({ value }) => value));
});

it('a file of sample records that is not complete does not remain', async () => {
  const stopped = AbortSignal.abort(new Error('Interrupted.'));
  await expect(writeToFile(largeRecords(3), join(folder, 'stopped.ndjson'), stopped)).rejects.toThrow('Interrupted.');
  expect((await readdir(folder)).filter((name) => name.startsWith('stopped'))).toEqual([]);
});
