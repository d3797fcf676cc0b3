import { expect, it, vi } from 'vitest';
import { openClient } from '../../../apps/cli/client/open-client.ts';
import { waitForRest } from '../../../apps/cli/replay/wait.ts';
import { openOps } from '../../support/ops.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('a command that waits for a replay', () => {
  it('ends when no worker runs the replay, and names the command that shows the replay again', async () => {
    const world = await openOps();
    try {
      await world.ask('/replays', { method: 'POST', body: { projection: 'trips' } });
      vi.stubEnv('DATABASE_URL', world.pipeline.url);
      await using client = await openClient(undefined);
      await expect(waitForRest(client, { id: 1, lane: 0 }, new AbortController().signal, 0)).rejects.toThrow(
        'No worker has run replay 1 for 0 minutes. It continues when a worker runs: `milepost replay watch 1` shows its progress again.',
      );
    } finally {
      vi.unstubAllEnvs();
      await world.close();
    }
  });
});
