import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const CONSOLE = join(import.meta.dirname, '../../../apps/console');

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-prepare-'));
  for (const file of ['prepare.ts', 'bundles.ts', 'package.json']) {
    await cp(join(CONSOLE, file), join(folder, file));
  }
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

function prepare(): string {
  const { status, stderr } = spawnSync(process.execPath, ['prepare.ts'], { cwd: folder, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stderr;
}

it('an install without development dependencies succeeds and reports the missing pages', async () => {
  await rm(join(folder, 'dist'), { recursive: true, force: true });
  expect(prepare()).toContain('the pages of Explore and Operate have not been built');
});

it('an install without development dependencies keeps existing pages', async () => {
  for (const bundle of ['explore', 'operate']) {
    await mkdir(join(folder, 'dist', bundle), { recursive: true });
    await writeFile(join(folder, 'dist', bundle, 'index.html'), '');
  }
  expect(prepare()).toContain('remain unchanged');
});
