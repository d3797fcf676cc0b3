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

  it('names the lane in the command that shows the replay again after Ctrl-C', async () => {
    const world = await openOps();
    try {
      vi.stubEnv('DATABASE_URL', world.pipeline.url);
      await using client = await openClient(undefined);
      const stopped = AbortSignal.abort(new Error('Interrupted.'));
      const show = 'shows its progress again.';
      await expect(waitForRest(client, { id: 7, lane: 2 }, stopped)).rejects.toThrow(
        `Interrupted. Replay 7 continues: \`milepost replay watch 7 --lane 2\` ${show}`,
      );
      await expect(waitForRest(client, { id: 7, lane: 0 }, stopped)).rejects.toThrow(
        `Interrupted. Replay 7 continues: \`milepost replay watch 7\` ${show}`,
      );
    } finally {
      vi.unstubAllEnvs();
      await world.close();
    }
  });
});
