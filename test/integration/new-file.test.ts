import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { lockHome } from '../../apps/cli/up/lock.ts';
import { createFile } from '../../packages/embedded-postgres/new-file.ts';

const STARTS = 50;

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'milepost-test-new-file-'));
  onTestFinished(async () => await rm(home, { recursive: true }));
});

describe('a file that is created in one step', () => {
  it('has its name only once its content is complete', async () => {
    const file = join(home, 'file');
    const prepare = async (draft: string) => {
      expect(await readFile(draft, 'utf8')).toBe('content');
      await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
    };
    expect(await createFile(file, { content: 'content', prepare })).toBe(true);
    expect(await readFile(file, 'utf8')).toBe('content');
    expect(await readdir(home)).toEqual(['file']);
  });

  it('never replaces another one', async () => {
    const file = join(home, 'file');
    await createFile(file, { content: 'first' });
    expect(await createFile(file, { content: 'second' })).toBe(false);
    expect(await readFile(file, 'utf8')).toBe('first');
    expect(await readdir(home)).toEqual(['file']);
  });
});

describe('the lock of a home', () => {
  it('belongs to only one of many concurrent starts', async () => {
    const starts = await Promise.allSettled(Array.from({ length: STARTS }, async () => await lockHome(home)));
    const locks = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    const refusals = starts.flatMap((start) => (start.status === 'rejected' ? [String(start.reason)] : []));
    expect(locks).toHaveLength(1);
    const running = `Milepost is already running in ${home}, as process ${process.pid}`;
    expect(new Set(refusals)).toEqual(new Set([`Error: ${running}: stop it first, or set another MILEPOST_HOME.`]));
    await locks[0]?.();
    expect(await readdir(home)).toEqual([]);
  });
});
