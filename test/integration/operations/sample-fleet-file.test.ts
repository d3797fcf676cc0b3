import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SimulatedRecord } from '@milepost/sample-fleet';
import { expect, it } from 'vitest';
import { writeToFile } from '../../../apps/cli/simulate/to-ndjson.ts';
import { openFolder, perSuite } from '../../support/fixtures.ts';

const { signal } = new AbortController();
const folder = perSuite(openFolder);

/** Yields records of 100 KiB, so that a chunk of the file ends after every third record. */
function* largeRecords(count: number): Generator<SimulatedRecord> {
  for (let index = 0; index < count; index += 1) {
    yield { topic: 'trips', key: 'acme/ann', value: JSON.stringify({ index, filler: 'x'.repeat(102_400) }) };
  }
}

it.each([0, 1, 3, 10])('a file of %i large sample records contains each record on its own line', async (count) => {
  const file = join(folder.path, `${count}.ndjson`);
  await writeToFile(largeRecords(count), file, signal);
  const lines = (await readFile(file, 'utf8')).split('\n');
  expect(lines.at(-1)).toBe('');
  expect(lines.slice(0, -1)).toEqual([...largeRecords(count)].map(({ value }) => value));
});

it('an incomplete file of sample records does not remain', async () => {
  const stopped = AbortSignal.abort(new Error('Interrupted.'));
  await expect(writeToFile(largeRecords(3), join(folder.path, 'stopped.ndjson'), stopped)).rejects.toThrow(
    'Interrupted.',
  );
  expect((await readdir(folder.path)).filter((name) => name.startsWith('stopped'))).toEqual([]);
});
