import { appendTogether, claimSource } from '@milepost/event-log';
import { ROLES } from '@milepost/postgres';
import { beforeEach, expect, it } from 'vitest';
import { hold, setStep, startMove, switchLane } from '../../../packages/operator/fleet-move/state.ts';
import { perTest, untilTestEnds } from '../../support/fixtures.ts';
import { LaneWorld, TOPIC } from '../../support/lane-world.ts';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { incoming, openDirectory } from '../../support/pipeline.ts';
import { driverProfile } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('two fleets that move in opposite directions', () => {
  const world = perTest(() => LaneWorld.create(2));
  beforeEach(async () => {
    await world.place('north', 0);
    await world.place('south', 1);
  });

  it('hold back their records one after the other, even if both begin at the same time', async () => {
    const { directory } = world;
    const moves = [await startMove(directory, 'north', 1, 'test'), await startMove(directory, 'south', 0, 'test')];
    const observer = untilTestEnds(openDirectory(world.url));
    const results = await whileLocked(
      observer,
      'LOCK TABLE fleet_move IN ACCESS EXCLUSIVE MODE',
      async () => await lockWaiters(observer, 2),
      async () => await Promise.all(moves.map(async (move) => await hold(directory, move))),
    );
    const first = moves.find((_move, index) => results[index] === null);
    const second = moves.find((move) => move !== first);
    if (!first || !second) throw new Error('Both moves hold records, or neither of them does.');
    const { fleet_move_id, fleet_id, to_lane } = first;
    expect(results).toContainEqual({ fleet_move_id, fleet_id, to_lane });
    expect(await hold(directory, first)).toBeNull();
    expect(await hold(directory, second)).toMatchObject({ fleet_id });
    await setStep(directory, first, 'failed');
    expect(await hold(directory, second)).toBeNull();
  });

  it('hold back their records one after the other, even if the first move was killed after the switch', async () => {
    const { directory } = world;
    const [north, south] = [
      await startMove(directory, 'north', 1, 'test'),
      await startMove(directory, 'south', 0, 'test'),
    ];
    expect(await hold(directory, north)).toBeNull();
    await switchLane(directory, north);
    // The first move's fences are still closed.
    expect(await hold(directory, south)).toMatchObject({ fleet_id: 'north' });
    await setStep(directory, north, 'moved');
    expect(await hold(directory, south)).toBeNull();
  });

  it('do not wait for the partitions that the other move holds back', async () => {
    world.project();
    // Each lane has read only one of the two partitions. The last record in it belongs to the fleet that is leaving the
    // other lane.
    world.publish(0, driverProfile({ fleet_id: 'south' }));
    world.publish(1, driverProfile({ fleet_id: 'north' }));
    for (const lane of [0, 1]) {
      const pool = world.pool(lane, ROLES.ingest);
      const partition = 1 - lane;
      const claim = await claimSource(pool, TOPIC, partition);
      const records = world.streams[partition]?.map((text, offset) => incoming(offset, text)) ?? [];
      await appendTogether(pool, [{ claim, records, nextOffset: 1 }]);
    }
    const moves = Promise.all([world.move('north', 1), world.move('south', 0)]);
    moves.catch(() => {});
    const sql = "SELECT FROM fleet_move WHERE step IN ('holding', 'switched')";
    await expect.poll(async () => (await world.directory.query(sql)).rowCount).toBe(1);
    await world.ingest();
    expect(await moves).toMatchObject([{ to_lane: 1 }, { to_lane: 0 }]);
    await world.untilApplied();
  });
});
