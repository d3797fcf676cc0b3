import { expect, it, vi } from 'vitest';
import { openClient } from '../../../apps/cli/client/open-client.ts';
import { waitForRest } from '../../../apps/cli/replay/wait.ts';
import { advanceClock } from '../../support/advance-clock.ts';
import { openOps } from '../../support/ops.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';

const WAIT = { timeout: 60_000, interval: 20 };

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

  it('continues for as long as a worker runs the replay, and says nothing about workers', async () => {
    const world = await openOps();
    const written: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    const stop = new AbortController();
    try {
      await world.ask('/replays', { method: 'POST', body: { projection: 'trips' } });
      const { owner } = world.pipeline;
      await owner.query("UPDATE replay SET lease_expires_at = now() + interval '1 day'");
      vi.stubEnv('DATABASE_URL', world.pipeline.url);
      await using client = await openClient(undefined);
      const waiting = waitForRest(client, { id: 1, lane: 0 }, stop.signal);
      waiting.catch(() => {});
      const lines = () => written.filter((line) => line.includes('Replay 1: ')).length;
      await expect.poll(lines, WAIT).toBe(1);
      advanceClock(24 * 3_600_000);
      await owner.query("UPDATE replay SET phase = 'verifying'");
      await expect.poll(lines, WAIT).toBe(2);
      await owner.query("UPDATE replay SET phase = 'waiting', lease_expires_at = NULL");
      expect((await waiting).phase).toBe('waiting');
      expect(written.filter((line) => line.includes('worker'))).toEqual([]);
    } finally {
      stop.abort();
      vi.restoreAllMocks();
      vi.unstubAllEnvs();
      await world.close();
    }
  });

  it('reports each outage of the database once', async () => {
    const world = await openOps();
    const url = new URL(world.pipeline.url);
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    url.host = `127.0.0.1:${proxy.port}`;
    const written: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    const stop = new AbortController();
    try {
      await world.ask('/replays', { method: 'POST', body: { projection: 'trips' } });
      vi.stubEnv('DATABASE_URL', url.href);
      await using client = await openClient(undefined);
      const waiting = waitForRest(client, { id: 1, lane: 0 }, stop.signal);
      waiting.catch(() => {});
      const linesWith = (words: string) => written.filter((line) => line.includes(words)).length;
      await expect.poll(() => linesWith('Replay 1: '), WAIT).toBe(1);
      for (const [outages, phase] of ['indexing', 'verifying'].entries()) {
        await proxy.cut();
        await expect.poll(() => linesWith('The database does not answer'), WAIT).toBe(outages + 1);
        await world.pipeline.owner.query('UPDATE replay SET phase = $1', [phase]);
        await proxy.restore();
        // The line about the next phase shows that the outage has ended.
        await expect.poll(() => linesWith('Replay 1: '), WAIT).toBe(outages + 2);
      }
      stop.abort(new Error('Interrupted.'));
      await expect(waiting).rejects.toThrow('Interrupted.');
    } finally {
      stop.abort();
      vi.restoreAllMocks();
      vi.unstubAllEnvs();
      await proxy.cut();
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
