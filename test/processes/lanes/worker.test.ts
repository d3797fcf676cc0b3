import { JobMetrics } from '@milepost/metrics/jobs';
import { ROLES } from '@milepost/postgres';
import { createLogger } from '@milepost/service';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runWorker } from '../../../apps/ops/worker/index.ts';
import { perTest } from '../../support/fixtures.ts';
import { LaneWorld } from '../../support/lane-world.ts';
import { deliver, openPartPool, projectAll } from '../../support/pipeline.ts';
import { tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('the worker of several lanes', () => {
  const world = perTest(() => LaneWorld.create(3));
  let stop: AbortController;
  let working: Promise<void>;
  beforeEach(() => {
    stop = new AbortController();
  });
  afterEach(async () => {
    stop.abort();
    await working;
  });

  const countIn = async (sql: string) =>
    await Promise.all(
      world.owners.map(async (owner) => (await owner.query(`SELECT count(*) FROM ${sql}`)).rows[0].count),
    );

  it('runs scheduled jobs in all lanes, and a requested job only in its own lane', async () => {
    for (const lane of world.lanes) {
      const fleet_id = `fleet-${lane.number}`;
      await world.place(fleet_id, lane.number);
      const [ingest, projector] = [openPartPool(lane, ROLES.ingest), openPartPool(lane, ROLES.projector)];
      await deliver(ingest, [tripProcessed({ fleet_id })]);
      await projectAll({ projector });
      await Promise.all([ingest.end(), projector.end()]);
    }
    await world.owners[2]?.query("UPDATE job SET requested = true, audit_id = 72 WHERE kind = 'audit'");
    working = runWorker({
      databaseUrl: world.url,
      redisUrl: undefined,
      auditIntervalMinutes: 100_000,
      retention: { tripRetentionDays: 1, replacedGenerationDays: 7 },
      metrics: new JobMetrics(),
      logger: createLogger('ops', 'silent'),
      signal: stop.signal,
    });
    // The trips are older than retention allows.
    const replays = async () => await countIn("replay WHERE requested_by = 'retention' AND projection = 'trips'");
    await expect.poll(replays).toEqual([1, 1, 1]);
    await expect.poll(async () => await countIn('audit')).toEqual([1, 1, 1]);
    expect(await countIn('audit WHERE audit_id = 72')).toEqual([0, 0, 1]);
    await expect.poll(async () => await countIn("replay WHERE phase = 'promoted'")).toEqual([3, 3, 3]);
  });
});
