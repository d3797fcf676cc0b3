import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../support/execute.ts';
import { openFolder, perSuite } from '../support/fixtures.ts';
import { needs } from '../support/programs.ts';

const UNIT = join(import.meta.dirname, '../../deploy/systemd/milepost@.service');
const PROCESSES = ['api', 'ingest', 'projector', 'ops'];

describe('the systemd unit', needs('systemd-analyze'), () => {
  const directory = perSuite(openFolder);
  beforeAll(async () => {
    for (const name of PROCESSES) await copyFile(UNIT, join(directory.path, `milepost@${name}.service`));
  });

  it('has an exposure level of at most 3 according to `systemd-analyze security`', async () => {
    const unit = join(directory.path, 'milepost@api.service');
    const { stdout } = await execute('systemd-analyze', ['security', '--offline=yes', '--threshold=30', unit]);
    expect(Number(/Overall exposure level .*: ([0-9.]+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(3);
  });

  it.each(PROCESSES)('is valid for %s', async (name) => {
    const file = join(directory.path, `milepost@${name}.service`);
    // The unit's program is not installed on this machine, so an existing program takes its place.
    const unit = (await readFile(UNIT, 'utf8')).replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true');
    await writeFile(file, unit.replace('file:///opt/milepost/docs/operations.md', 'man:true(1)'));
    const { stdout, stderr } = await execute('systemd-analyze', ['verify', file]);
    expect(`${stdout}${stderr}`).toBe('');
  });
});
