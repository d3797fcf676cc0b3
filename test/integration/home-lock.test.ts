import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { lockHome } from '../../apps/cli/up/lock.ts';
import { openFolder, perTest } from '../support/fixtures.ts';

const STARTS = 50;

const folder = perTest(openFolder);
let home: string;
beforeEach(() => {
  home = folder.path;
});

describe('the lock on a home', () => {
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

  it.runIf(process.platform === 'linux')(
    'is ignored if its process has ended or if the process id has a new owner',
    async () => {
      const file = join(home, 'up.lock');
      const release = await lockHome(home);
      const own = await readFile(file, 'utf8');
      expect(own).toMatch(new RegExp(`^${process.pid} \\d+\n$`));
      await release();
      const [, time = ''] = own.trim().split(' ');
      const reused = `${process.pid} ${Number(time) + 1}\n`;
      for (const content of [reused, `${process.pid}`, `0 ${time}\n`, '', 'no lock\n']) {
        await writeFile(file, content);
        const releaseAgain = await lockHome(home);
        expect(await readFile(file, 'utf8'), JSON.stringify(content)).toBe(own);
        await releaseAgain();
      }
      expect(await readdir(home)).toEqual([]);
    },
  );

  it('is ignored if it cannot be read', async () => {
    const file = join(home, 'up.lock');
    await symlink(join(home, 'missing'), file);
    await (await lockHome(home))();
    expect(await readdir(home)).toEqual([]);
  });

  it('requires that the folder can be created and written to', async () => {
    const file = join(home, 'file');
    await writeFile(file, '');
    await expect(lockHome(file)).rejects.toThrow(`MILEPOST_HOME ${file} cannot be created: EEXIST`);
    // The folder's name is short enough, but the names of its files are too long.
    let long = home;
    while (long.length < 3_950) {
      long = join(long, 'x'.repeat(100));
      await mkdir(long);
    }
    long = join(long, 'x'.repeat(4_085 - long.length));
    await expect(lockHome(long)).rejects.toThrow(`MILEPOST_HOME ${long} cannot be written to: ENAMETOOLONG`);
  });
});
