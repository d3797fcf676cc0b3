import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { milepost, ROOT } from '../support/milepost.ts';
import { UpHome } from '../support/up-home.ts';

const home = new UpHome();

it('the processes of a killed up --watch stop by themselves', async () => {
  const { child, ended } = await home.start(milepost(['up', '--watch']), { SAMPLE_FLEET: 'off' });
  child.kill('SIGKILL');
  await ended;
  for (const port of home.ports) {
    const health = () => fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
    await expect.poll(health).toBeNull();
  }
});

it('up --watch, which npm run dev starts, restarts only what has changed, and stops on SIGTERM', async () => {
  const { child, ended } = await home.start(milepost(['up', '--watch']), { SAMPLE_FLEET: 'off' });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString())).resume();
  const restarts = () => Array.from(output.matchAll(/^Restarting '.*milepost\.js (\w+)'$/gm), ([, name]) => name);
  const now = new Date();
  // Only the projector imports this file. Node treats a new modification time as a change.
  utimesSync(join(ROOT, 'apps/projector/listen.ts'), now, now);
  await expect.poll(restarts).toEqual(['projector']);
  const [port] = home.ports;
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
  expect(restarts()).toEqual(['projector']);
});
