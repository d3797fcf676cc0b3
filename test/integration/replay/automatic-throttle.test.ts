import { ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { Throttled } from '../../../packages/core/replay/throttle/throttled.ts';
import { watchLoad } from '../../../packages/core/replay/watch.ts';
import { startCuttingPostgres } from '../../support/faults/postgres-proxy.ts';
import { untilTestEnds } from '../../support/fixtures.ts';
import { deliver, openPool, projectAll } from '../../support/pipeline.ts';
import { describeWithOwnPipeline } from '../../support/pipeline-suites.ts';
import { tripProcessed } from '../../support/records.ts';

const LAG = /^the live projections are \d+\.\d s behind$/;

describeWithOwnPipeline('the automatic throttle', (pipeline) => {
  beforeEach(async () => {
    await deliver(pipeline.ingest, [tripProcessed()]);
    await pipeline.owner.query(`UPDATE stored_event SET stored_at = now() - interval '1 minute'`);
  });

  /** Measures the load until the test ends. Also returns why a replay is slowed down. */
  function watch(pool = pipeline.projector) {
    const throttled = new Throttled('auto', 1);
    const done = new AbortController();
    const watching = watchLoad(pool, PROJECTIONS, throttled, done.signal);
    onTestFinished(async () => {
      done.abort();
      await watching;
    });
    return { watching, reason: () => String(throttled.automatic.reason) };
  }

  it('slows a replay down while live projections lag, except for projections that the replay may repair', async () => {
    const { reason } = watch();
    await expect.poll(reason).toMatch(LAG);
    const { owner } = pipeline;
    for (const [repairable, healthy] of [
      ["failure = 'stopped'", 'failure = NULL'],
      ['version = version + 1', 'version = version - 1'],
    ]) {
      await owner.query(`UPDATE generation SET ${repairable}`);
      await expect.poll(reason).not.toMatch(LAG);
      await owner.query(`UPDATE generation SET ${healthy}`);
      await expect.poll(reason).toMatch(LAG);
    }
    await projectAll(pipeline);
    await expect.poll(reason).not.toMatch(LAG);
  });

  it("measures the load again after a measurement's connection was lost", async () => {
    const proxy = untilTestEnds(await startCuttingPostgres(pipeline.url));
    const { watching, reason } = watch(untilTestEnds(openPool(proxy.url, ROLES.projector, 1)));
    // If the watch ends early, the measurements end with it.
    await Promise.race([watching, expect.poll(reason).toMatch(LAG)]);
    expect(reason()).toMatch(LAG);
    expect(proxy.hasCut()).toBe(true);
  });
});
