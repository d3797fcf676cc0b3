import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../support/execute.ts';
import { openFolder, perSuite } from '../support/fixtures.ts';
import { ended, ROOT, start } from '../support/milepost.ts';
import { OLDER_NODE } from '../support/older-node.ts';
import { askAgain, UpHome } from '../support/up-home.ts';

const INSTALL_MILLISECONDS = 300_000;

describe('the package, installed into an empty folder,', () => {
  const home = new UpHome();
  const folder = perSuite(openFolder);
  let command: string;

  beforeAll(async () => {
    await execute('npm', ['run', 'package'], { cwd: ROOT });
    const { stdout } = await execute('npm', ['pack', './dist', '--pack-destination', folder.path], { cwd: ROOT });
    await writeFile(join(folder.path, 'package.json'), '{}');
    await execute('npm', ['install', '--prefer-offline', `./${stdout.trim()}`], { cwd: folder.path });
    command = join(folder.path, 'node_modules/.bin/milepost');
  }, INSTALL_MILLISECONDS);

  it('prints its version with npx, and on an older Node by starting the Node that is installed with it', async () => {
    const { stdout } = await execute('npx', ['milepost', '--version'], { cwd: folder.path });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const older = start([process.execPath, '--import', OLDER_NODE, command, '--version'], {});
    expect(await ended(older)).toEqual({ code: 0, stdout, stderr: '' });
  });

  it('validates a file of records', async () => {
    const records = join(folder.path, 'records.ndjson');
    await writeFile(records, '{"kind":"trip.deleted","fleet_id":"sunrise-delivery","source_trip_id":"1"}\n');
    expect(await ended(start([process.execPath, command, 'validate', records], {}))).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('missing_field  /revision'),
    });
  });

  it('serves the API and its pages, and reports its status', async () => {
    const running = await home.start([process.execPath, command, 'up']);
    expect(await askAgain(running)).toBe(200);
    const [port, opsPort] = home.ports;
    for (const page of [`${port}/docs/`, `${port}/explore/`, `${port}/docs/errors/not_found`, `${opsPort}/`]) {
      expect((await fetch(`http://127.0.0.1:${page}`)).status, page).toBe(200);
    }
    expect(await ended(start([process.execPath, command, 'status', '--json'], home.settings))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/"head_position": ?[1-9]/),
    });
    running.child.kill('SIGTERM');
    expect(await running.ended).toEqual([0, null]);
    await home.assertNothingRuns();
  });
});
