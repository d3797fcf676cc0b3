import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ended, ROOT, start } from '../support/milepost.ts';
import { MODULE_PROBE } from '../support/module-probe.ts';
import { OLDER_NODE } from '../support/older-node.ts';

const BIN = join(ROOT, 'apps/cli/milepost.js');

async function loaded(...words: string[]): Promise<string> {
  const child = start([process.execPath, '--import', MODULE_PROBE, join(ROOT, 'apps/cli/main.ts'), ...words], {});
  const { code, stderr } = await ended(child);
  expect(code).toBe(0);
  return stderr;
}

it.each([['--version'], ['up', '--help'], ['api', '--help'], ['ingest', '--help'], ['ops', '--help']])(
  "milepost %s %s loads none of the operations' modules",
  async (...words) => {
    expect(await loaded(...words)).not.toMatch(
      /packages\/operator\/operations\/|node_modules\/(typebox|kysely|pg|fastify|bullmq)\//,
    );
  },
);

it('milepost replay --help loads the operations', async () => {
  expect(await loaded('replay', '--help')).toMatch(/packages\/operator\/operations\//);
});

it.each([
  ['the required Node', []],
  ['an older Node, which starts the Node installed with Milepost,', ['--import', OLDER_NODE]],
])('the command runs on %s and exits with its own code', async (_, options) => {
  const command = (...words: string[]) => start([process.execPath, ...options, BIN, ...words], {});
  expect(await ended(command('--version'))).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
  expect(await ended(command('nothing'))).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^milepost: Unknown command 'nothing'\./),
  });
});
