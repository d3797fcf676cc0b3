import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { embeddedDirectory } from '@milepost/postgres/embedded';
import { beforeEach, describe, expect, it } from 'vitest';
import { milepost } from '../support/milepost.ts';
import { askAgain, postmasterOf, statusesWhile, type Up, UpHome } from '../support/up-home.ts';

const home = new UpHome();

describe('milepost up with an embedded PostgreSQL', () => {
  let running: Up;

  beforeEach(async () => {
    // On a fast machine, three readers send more requests than a key's default limit allows.
    running = await home.start(milepost(['up']), { RATE_LIMIT_PER_MINUTE: '10000000' });
  });

  it('responds to several readers while PostgreSQL is halted for 8 s and accepts no connection', async () => {
    const pid = await postmasterOf(home);
    const halt = async () => {
      process.kill(pid, 'SIGSTOP');
      await Promise.race([delay(8_000), running.ended]);
      process.kill(pid, 'SIGCONT');
      await Promise.race([delay(3_000), running.ended]);
    };
    const counts = await statusesWhile(running, 'PostgreSQL halted for 8 s', halt, 3);
    expect(Object.keys(counts)).toEqual(['200']);
    expect(await postmasterOf(home)).toBe(pid);
    expect(await askAgain(running)).toBe(200);
    expect(running.child.exitCode).toBeNull();
    running.child.kill('SIGTERM');
    expect(await running.ended).toEqual([0, null]);
    await home.assertNothingRuns();
  });

  it('exits with an error message one minute after PostgreSQL is lost permanently', async () => {
    const file = join(embeddedDirectory(home.path), 'data', 'global', 'pg_control');
    await rename(file, `${file}.away`);
    process.kill(await postmasterOf(home), 'SIGKILL');
    expect(await running.ended).toEqual([1, null]);
    await rename(`${file}.away`, file);
    expect(running.said()).toMatch(/milepost: The embedded PostgreSQL stopped unexpectedly.*pg_control/);
    await home.assertNothingRuns();
  });
});
