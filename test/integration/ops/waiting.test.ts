import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { openClient } from '../../../apps/cli/client/open-client.ts';
import { waitForRest } from '../../../apps/cli/replay/wait.ts';
import { advanceClock } from '../../support/advance-clock.ts';
import { describeWithOps } from '../../support/ops.ts';
import { startProxyTo } from '../../support/tcp-proxy.ts';

const FIRST = { id: 1, lane: 0 };

describeWithOps('a command that waits for a replay', (world) => {
  let written: string[];
  beforeAll(async () => {
    await world.ask('/replays', { method: 'POST', body: { projection: 'trips' } });
  });
  beforeEach(() => {
    vi.stubEnv('DATABASE_URL', world.pipeline.url);
    written = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  });
  afterEach(async () => {
    await world.pipeline.owner.query("UPDATE replay SET phase = 'filling', lease_expires_at = NULL");
  });

  const linesWith = (words: string) => written.filter((line) => line.includes(words)).length;

  it('ends on Ctrl-C or if no worker is running the replay, and names the command that shows it again', async () => {
    await using client = await openClient(undefined);
    await expect(waitForRest(client, FIRST, new AbortController().signal, 0)).rejects.toThrow(
      'No worker has run replay 1 for 0 minutes. It continues once a worker is running: `milepost replay watch 1` shows its progress again.',
    );
    const stopped = AbortSignal.abort(new Error('Interrupted.'));
    await expect(waitForRest(client, { id: 7, lane: 2 }, stopped)).rejects.toThrow(
      'Interrupted. Replay 7 continues: `milepost replay watch 7 --lane 2` shows its progress again.',
    );
    await expect(waitForRest(client, { id: 7, lane: 0 }, stopped)).rejects.toThrow('`milepost replay watch 7` shows');
  });

  it('continues for as long as a worker is running the replay, and says nothing about workers', async () => {
    const { owner } = world.pipeline;
    await owner.query("UPDATE replay SET lease_expires_at = now() + interval '1 day'");
    await using client = await openClient(undefined);
    const waiting = waitForRest(client, FIRST, new AbortController().signal);
    waiting.catch(() => {});
    await expect.poll(() => linesWith('Replay 1: ')).toBe(1);
    advanceClock(24 * 3_600_000);
    await owner.query("UPDATE replay SET phase = 'verifying'");
    await expect.poll(() => linesWith('Replay 1: ')).toBe(2);
    await owner.query("UPDATE replay SET phase = 'waiting', lease_expires_at = NULL");
    expect((await waiting).phase).toBe('waiting');
    expect(linesWith('worker')).toBe(0);
  });

  it('reports each outage of the database once', async () => {
    const proxy = await startProxyTo(world.pipeline.url);
    vi.stubEnv('DATABASE_URL', proxy.url);
    const stop = new AbortController();
    await using client = await openClient(undefined);
    const waiting = waitForRest(client, FIRST, stop.signal);
    waiting.catch(() => {});
    await expect.poll(() => linesWith('Replay 1: ')).toBe(1);
    for (const [outages, phase] of ['indexing', 'verifying'].entries()) {
      await proxy.cut();
      await expect.poll(() => linesWith('The database does not respond')).toBe(outages + 1);
      await world.pipeline.owner.query('UPDATE replay SET phase = $1', [phase]);
      await proxy.restore();
      // The line about the next phase shows that the outage has ended.
      await expect.poll(() => linesWith('Replay 1: ')).toBe(outages + 2);
    }
    stop.abort(new Error('Interrupted.'));
    await expect(waiting).rejects.toThrow('Interrupted.');
    await proxy.cut();
  });
});
