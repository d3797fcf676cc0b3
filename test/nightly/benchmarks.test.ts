import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ended, ROOT, start } from '../support/milepost.ts';

const NAMES = readdirSync(join(ROOT, 'test/bench')).flatMap((file) => /^(?!main)(.+)\.ts$/.exec(file)?.[1] ?? []);

it.each(NAMES)('the benchmark %s still runs, with tiny sizes', async (name) => {
  const { code, stdout, stderr } = await ended(start(['npm', 'run', 'bench', '--', '--smoke', name], {}));
  expect(code, `${stdout}\n${stderr}`).toBe(0);
});
