import { spawnSync } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { openFolder, perTest } from '../../support/fixtures.ts';

const CONSOLE = join(import.meta.dirname, '../../../apps/console');

const folder = perTest(openFolder);

beforeEach(async () => {
  for (const file of ['prepare.ts', 'bundles.ts', 'package.json']) {
    await cp(join(CONSOLE, file), join(folder.path, file));
  }
});

function prepare(): string {
  const { status, stderr } = spawnSync(process.execPath, ['prepare.ts'], { cwd: folder.path, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stderr;
}

it('an install without development dependencies succeeds and reports the missing pages', async () => {
  expect(prepare()).toContain('the pages of Explore and Operate have not been built');
});

it('an install without development dependencies keeps existing pages', async () => {
  for (const bundle of ['explore', 'operate']) {
    await mkdir(join(folder.path, 'dist', bundle), { recursive: true });
    await writeFile(join(folder.path, 'dist', bundle, 'index.html'), '');
  }
  expect(prepare()).toContain('remain unchanged');
});
