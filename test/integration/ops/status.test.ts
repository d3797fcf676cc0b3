import { claimSource, holdSources } from '@milepost/event-log';
import { showStatus } from '@milepost/operations/status';
import { inSnapshot } from '@milepost/postgres';
import { readProgress } from '@milepost/status/log-status';
import { beforeAll, expect, it } from 'vitest';
import { contentOf } from '../../support/answers.ts';
import { perSuite, untilTestEnds } from '../../support/fixtures.ts';
import { openOps, requestOf } from '../../support/ops.ts';
import { deliver } from '../../support/pipeline.ts';
import { driverProfile } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('/status', () => {
  const world = perSuite(openOps);

  beforeAll(async () => {
    await deliver(world.pipeline.ingest, [driverProfile(), '{broken'], 'milepost.drivers');
  });

  it("lists the newest source's warnings first, however few records they concern", async () => {
    const own = untilTestEnds(await openOps());
    for (const topic of ['older', 'newer']) await deliver(own.pipeline.ingest, [driverProfile()], topic);
    await own.pipeline.owner.query(
      `INSERT INTO source_warning (source_id, reason, field, records)
       SELECT source_id, 'unknown_field', field, CASE topic WHEN 'older' THEN 90 ELSE few END
       FROM log_source, (VALUES ('/a', 2), ('/b', 3)) AS warned (field, few)`,
    );
    const { warnings } = contentOf(await own.ask('/status'), showStatus.answer);
    expect(warnings.map(({ topic, field, records }) => [topic, field, records])).toEqual([
      ['newer', '/b', 3],
      ['newer', '/a', 2],
      ['older', '/a', 90],
      ['older', '/b', 90],
    ]);
  });

  it('contains the end offsets of topics, and null when they are unknown', async () => {
    expect(contentOf(await world.ask('/status'), showStatus.answer)).toMatchObject({
      head_position: 1,
      dead_letters: 1,
      replays: [],
      sources: [{ end_offset: null, lag: null }],
    });
    const asked: string[][] = [];
    const ops = await world.build({
      askEndOffsets: async (topics) => {
        asked.push([...topics]);
        return new Map([['milepost.drivers/0', 12]]);
      },
    });
    expect(contentOf(await ops.inject(requestOf('/status')), showStatus.answer).sources).toMatchObject([
      { next_offset: 2, end_offset: 12, lag: 10 },
    ]);
    expect(asked).toEqual([['milepost.drivers']]);
  });

  it('can be read in the roles of ingest and projector, as far as their health checks need it', async () => {
    for (const pool of [world.pipeline.ingest, world.pipeline.projector]) {
      expect(await inSnapshot(pool, readProgress)).toMatchObject({
        head_position: 1,
        sources: [{ topic: 'milepost.drivers' }],
      });
    }
  });

  it('shows whether ingest is reading Kafka, if Kafka is configured', async () => {
    const ops = await world.build({ askEndOffsets: async () => new Map() });
    const ingest = async (server = ops) =>
      contentOf(await server.inject(requestOf('/status')), showStatus.answer).ingest;
    expect(await ingest()).toBe('missing');
    await holdSources(world.pipeline.ingest, [await claimSource(world.pipeline.ingest, 'milepost.drivers', 0)]);
    expect(await ingest()).toBe('running');
    await world.pipeline.owner.query("UPDATE log_source SET held_at = now() - interval '61 s'");
    expect(await ingest()).toBe('missing');
    expect(await ingest(world.ops)).toBeNull();
  });
});
