import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesOf } from '@milepost/postgres/embedded';
import { expect, it, onTestFinished } from 'vitest';
import { ensureCluster } from './cluster.ts';
import type { Server } from './prepare-server.ts';

/** Creates a cluster with stub programs that only record their arguments. Returns the arguments passed to initdb. */
async function parametersOfInitdb(isDurable: boolean): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'milepost-cluster-'));
  onTestFinished(async () => await rm(directory, { recursive: true }));
  const used: string[] = [];
  const server: Server = {
    ...filesOf(directory),
    account: null,
    settings: isDurable ? {} : { fsync: 'off' },
    log: () => {},
    patienceMilliseconds: 0,
    signal: undefined,
    async program(name, parameters) {
      if (name === 'initdb') {
        used.push(...parameters);
        const data = parameters.find((each) => each.startsWith('--pgdata='))?.replace('--pgdata=', '') ?? '';
        await mkdir(data);
        await writeFile(join(data, 'PG_VERSION'), '18\n');
      }
      return { code: 0, output: '' };
    },
  };
  await ensureCluster(server);
  return used;
}

// A cluster counts as complete once its folder is renamed, so its files must be on the disk by then.
it('initdb syncs a durable cluster to the disk before it ends, but no other cluster', async () => {
  expect(await parametersOfInitdb(true)).not.toContain('--no-sync');
  expect(await parametersOfInitdb(false)).toContain('--no-sync');
});
