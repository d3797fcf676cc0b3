import { expect, it } from 'vitest';
import { milepost, start } from '../milepost.ts';
import { postmasterOf, UpHome } from '../up-home.ts';

const FOREVER = { timeout: 2_000_000_000 };

const home = new UpHome();

it(
  'starts `up` and a process that reacts to no signal, reports the home and its PostgreSQL, and waits',
  FOREVER,
  async () => {
    await home.start(milepost(['up']), { SAMPLE_FLEET: 'off' });
    start(['sleep', '600'], {}).kill('SIGSTOP');
    process.stdout.write(`\nstarted ${home.path} ${await postmasterOf(home)}\n`);
    await expect.poll(() => false, FOREVER).toBe(true);
  },
);
