import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ended, ROOT, start } from '../support/milepost.ts';
import { OLDER_NODE } from '../support/older-node.ts';

const BIN = join(ROOT, 'apps/cli/milepost.js');

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
