import { expect, it, vi } from 'vitest';
import { openClient } from '../../../apps/cli/operate/open-client.ts';
import { waitForRest } from '../../../apps/cli/replay/wait.ts';
import { openOps } from '../../support/ops.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('a command that waits for a replay', () => {
  it('ends when no worker works on it, and says how to look at it again', async () => {
    const world = await openOps();
    try {
      await world.ask('/replays', { method: 'POST', body: { projection: 'trips' } });
      vi.stubEnv('DATABASE_URL', world.pipeline.url);
      await using client = await openClient(undefined);
      await expect(waitForRest(client, 1, new AbortController().signal, 0)).rejects.toThrow(
        'No worker has worked on replay 1 for 0 minutes. The replay goes on by itself once one does: `milepost replay watch 1` shows it again.',
      );
    } finally {
      vi.unstubAllEnvs();
      await world.close();
    }
  });
});
