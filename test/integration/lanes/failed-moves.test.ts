import { setFence } from '@milepost/event-log/fences';
import { claimSource } from '@milepost/event-log/sources';
import { ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { beforeEach, expect, it } from 'vitest';
import { eraseDriver } from '../../../packages/operator/erasure/erase-driver.ts';
import { hold, setStep, startMove, switchLane } from '../../../packages/operator/fleet-move/state.ts';
import { perTest, untilTestEnds } from '../../support/fixtures.ts';
import { LaneWorld, TOPIC } from '../../support/lane-world.ts';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { append, deliver, incomingAll, openDirectory, projectAll } from '../../support/pipeline.ts';
import { driverProfile } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const profileOf = (driver_id: string) => driverProfile({ fleet_id: 'moving', driver_id });
/** A record that becomes an open dead letter, which blocks a move. */
const REFUSED = { ...driverProfile({ fleet_id: 'moving' }), revision: 0 };

describeWithPostgres('a fleet whose move fails or is interrupted', () => {
  const world = perTest(() => LaneWorld.create(3, 1));
  beforeEach(async () => {
    await world.place('moving', 0);
  });

  const driversIn = async (lane: number) => await world.driversOf('moving', lane);

  /** Returns the moving fleet's fences in lanes 0 and 1. */
  async function fences() {
    const sql = "SELECT stores, passes FROM fleet_fence WHERE fleet_id = 'moving'";
    return await Promise.all([0, 1].map(async (lane) => (await world.owner(lane).query(sql)).rows[0]));
  }
  const HOME = { stores: true, passes: false };
  const ELSEWHERE = { stores: false, passes: true };

  /** Erases a driver in only one lane. */
  async function eraseIn(lane: number, driverId: string): Promise<void> {
    const request = { fleetId: 'moving', driverId, reason: 'case-812', keepAggregates: false };
    await eraseDriver(world.pool(lane, ROLES.eraser), PROJECTIONS, request);
  }

  it('can move to another lane after a failed move', async () => {
    await world.start(REFUSED, profileOf('one'));
    await expect(world.move('moving', 1)).rejects.toThrow('retry or discard them first');
    await world.discardLetters(0);
    expect(await world.move('moving', 2)).toMatchObject({ from_lane: 0, to_lane: 2, stored_events: 1 });
  });

  it('has open fences after a move that was killed while they were closed is continued and then refused', async () => {
    await hold(world.directory, await startMove(world.directory, 'moving', 1, 'test'));
    await deliver(world.pool(0, ROLES.ingest), [REFUSED]);
    for (const lane of [0, 1])
      await setFence(world.pool(lane, ROLES.ingest), { fleetId: 'moving', stores: false, passes: false, epoch: 0 });
    await expect(world.move('moving', 1)).rejects.toThrow('retry or discard them first');
    expect(await fences()).toEqual([HOME, ELSEWHERE]);
  });

  it('has open fences after a move that was killed after the switch is continued', async () => {
    await world.start(profileOf('one'));
    await world.move('moving', 1);
    await world.directory.query("UPDATE fleet_move SET step = 'switched', ended_at = NULL");
    for (const lane of [0, 1]) await world.owner(lane).query('UPDATE fleet_fence SET stores = false, passes = false');
    expect(await world.move('moving', 1)).toMatchObject({ from_lane: 0, to_lane: 1, stored_events: 1 });
    expect(await fences()).toEqual([ELSEWHERE, HOME]);
    expect((await world.directory.query('SELECT step FROM fleet_move')).rows).toEqual([{ step: 'moved' }]);
  });

  it('stays in its lane if only the other lane has erased a driver', async () => {
    world.project();
    await deliver(world.pool(1, ROLES.ingest), [profileOf('person-one')], 'file:earlier');
    await eraseIn(1, 'person-one');
    await expect(world.move('moving', 1)).rejects.toThrow('Drivers in fleet moving have been erased in lane 1');
    expect(await fences()).toEqual([undefined, undefined]);
  });

  // The log in the fleet's lane has already been read to the end, so only the second check notices the erasure.
  it('stays in its lane if a driver is erased in that lane after the copy', async () => {
    const projector = world.pool(1, ROLES.projector);
    await world.ingest();
    world.publish(0, profileOf('person-one'));
    await expect.poll(() => world.offset(0, 0)).toBe(1);
    const moving = world.move('moving', 1);
    moving.catch(() => {});
    // The move waits for the new lane's read tables twice: before the fences are closed, and while they are closed.
    await expect.poll(() => driversIn(1)).toEqual(['person-one']);
    world.publish(0, profileOf('person-two'));
    await expect.poll(() => world.offset(0, 0)).toBe(2);
    await projectAll({ projector });
    await expect.poll(() => driversIn(1)).toEqual(['person-one', 'person-two']);
    await eraseIn(0, 'person-one');
    await projectAll({ projector });
    await expect(moving).rejects.toThrow('have been erased in lane 0');
    expect(await world.laneOf('moving')).toBe(0);
    expect(await fences()).toEqual([HOME, ELSEWHERE]);
  });
});

describeWithPostgres('two fleets that move in opposite directions', () => {
  const world = perTest(() => LaneWorld.create(2));
  beforeEach(async () => {
    await world.place('north', 0);
    await world.place('south', 1);
  });

  const startBoth = async () =>
    [
      await startMove(world.directory, 'north', 1, 'test'),
      await startMove(world.directory, 'south', 0, 'test'),
    ] as const;

  it('hold back their records one after the other, even if both begin at the same time', async () => {
    const { directory } = world;
    const moves = await startBoth();
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
    const [north, south] = await startBoth();
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
      await append(pool, claim, incomingAll(world.streams[partition] ?? []), 1);
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
