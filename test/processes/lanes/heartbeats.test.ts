import { expect, it } from 'vitest';
import { openLanes } from '../../../apps/ingest/lanes.ts';
import { untilTestEnds } from '../../support/fixtures.ts';
import { LaneWorld } from '../../support/lane-world.ts';
import { startIngest } from '../../support/running-ingest.ts';
import { describeWithKafka } from '../../support/service-suites.ts';
import { Topics } from '../../support/topics.ts';

describeWithKafka('an ingest process with several lanes', (brokers) => {
  // In a lane without heartbeats, ingest would always be reported as missing, so nobody would notice if it really were
  // missing.
  it('reports in each lane that it is reading its partitions, and repeats this while they are idle', async () => {
    const world = untilTestEnds(await LaneWorld.create(3, 0));
    const topics = untilTestEnds(await Topics.create(brokers));
    const lanes = untilTestEnds(openLanes(world.url, 'milepost-test'));
    untilTestEnds(startIngest({ ingest: lanes.first }, topics.settings(brokers), lanes.read));
    const heldPartitions = async () =>
      await world.inEachLane("SELECT count(*) FROM log_source WHERE held_at > now() - interval '1 minute'");
    await expect.poll(heldPartitions).toEqual([6, 6, 6]);
    for (const owner of world.owners) await owner.query("UPDATE log_source SET held_at = now() - interval '2 minutes'");
    await expect.poll(heldPartitions).toEqual([6, 6, 6]);
  });
});
