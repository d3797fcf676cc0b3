import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needs } from '../support/programs.ts';

const run = promisify(execFile);
const UNIT = join(import.meta.dirname, '../../deploy/systemd/milepost@.service');
const PROCESSES = ['api', 'ingest', 'projector', 'ops'];

describe('the systemd unit', needs('systemd-analyze'), () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'milepost-systemd-'));
    for (const name of PROCESSES) await copyFile(UNIT, join(directory, `milepost@${name}.service`));
  });
  afterAll(async () => await rm(directory, { recursive: true }));

  it('has an exposure level of at most 3 according to `systemd-analyze security`', async () => {
    const { stdout } = await run('systemd-analyze', [
      'security',
      '--offline=yes',
      '--threshold=30',
      join(directory, 'milepost@api.service'),
    ]);
    expect(Number(/Overall exposure level .*: ([0-9.]+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(3);
  });

  it.each(PROCESSES)('is valid for %s', async (name) => {
    const file = join(directory, `milepost@${name}.service`);
    // The unit's program is not installed on this machine, so an existing program takes its place.
    const unit = (await readFile(UNIT, 'utf8')).replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true');
    await writeFile(file, unit.replace('file:///opt/milepost/docs/operations.md', 'man:true(1)'));
    const { stdout, stderr } = await run('systemd-analyze', ['verify', file]);
    expect(`${stdout}${stderr}`).toBe('');
  });
});
