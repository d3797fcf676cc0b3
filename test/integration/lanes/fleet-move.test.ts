import { setFence } from '@milepost/event-log/fences';
import { claimSource } from '@milepost/event-log/sources';
import { ROLES } from '@milepost/postgres';
import { putBack, setAside } from '@milepost/replay';
import { beforeEach, expect, it } from 'vitest';
import { EMPTY_DIGEST, extendDigest } from '../../../packages/operator/fleet-move/compare.ts';
import { setStep, startMove } from '../../../packages/operator/fleet-move/state.ts';
import { logContents } from '../../support/archives.ts';
import { run } from '../../support/command.ts';
import { perTest } from '../../support/fixtures.ts';
import { judgeFleet } from '../../support/judge-fleet.ts';
import { putOnNode, takeFromNode } from '../../support/lane-node.ts';
import { LaneWorld, TOPIC } from '../../support/lane-world.ts';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { expectSuccess } from '../../support/milepost.ts';
import { append, deliver, incomingAll } from '../../support/pipeline.ts';
import { driverProfile, longestTrip, numberedProfiles, toNdjson, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { valuesOf } from '../../support/tables.ts';

const FIRST_DATE = '2025-01-06';

const profileOf = (fleet_id: string, driver_id: string) => driverProfile({ fleet_id, driver_id });

describeWithPostgres('a fleet that moves', () => {
  const world = perTest(() => LaneWorld.create(3));
  beforeEach(async () => {
    await world.place('moving', 0);
    await world.place('staying', 1);
  });

  const driversIn = async (lane: number) => await world.driversOf('moving', lane);

  async function countsOf(lane: number, partition: number) {
    const { rows } = await world.owner(lane).query(
      `SELECT records_stored AS stored, records_duplicate AS duplicates, records_elsewhere AS elsewhere
       FROM log_source WHERE topic = $1 AND partition = $2`,
      [TOPIC, partition],
    );
    return rows[0];
  }

  async function erase() {
    const words = 'drivers erase --fleet moving --driver person-one --reason case-812 --yes --json'.split(' ');
    return await run(words, { DATABASE_URL: world.url });
  }

  it('has the same stored events in the new lane even if the longest trip and several batches are copied', async () => {
    world.project();
    const profiles = numberedProfiles(1_100, { fleet_id: 'moving' });
    const last = longestTrip({ fleet_id: 'moving', driver_id: 'last' });
    await deliver(world.pool(0, ROLES.ingest), [...profiles, last]);
    await world.owner(0).query("UPDATE stored_event SET traceparent = 'trace-' || position");
    const before = await logContents(world.owner(0));
    expect(before.at(-1)).toMatchObject({ event: { position: 1_101, traceparent: 'trace-1101', driver_id: 'last' } });
    expect(await world.move('moving', 1)).toMatchObject({ stored_events: before.length });
    expect(await logContents(world.owner(1))).toEqual(before);
  });

  it('moves back and then to the new lane again, with the records that each lane has missed', async () => {
    world.project();
    await world.ingest();
    const moves = [1, 0, 1, 2, 0];
    for (const [index, lane] of moves.entries()) {
      world.publish(index % 2, profileOf('moving', `driver-${index}`), profileOf('staying', `driver-${index}`));
      await world.untilApplied();
      expect(await world.move('moving', lane)).toMatchObject({ to_lane: lane, stored_events: index + 1 });
    }
    world.publish(0, profileOf('moving', 'last'));
    await world.untilApplied();
    expect(await driversIn(0)).toEqual([...moves.map((_, index) => `driver-${index}`), 'last']);
    await judgeFleet(world, 'moving', FIRST_DATE);
  });

  it('has the same stored events set aside in the new lane, and stays there while the lanes differ', async () => {
    const trips = ['shown', 'aside'].map((source_trip_id) => tripProcessed({ fleet_id: 'moving', source_trip_id }));
    await deliver(world.pool(0, ROLES.ingest), [profileOf('moving', 'driver-1'), ...trips], 'file:trips.ndjson');
    await setAside(world.pool(0, ROLES.operator), 3, 'It cannot be rendered.');
    await deliver(world.pool(1, ROLES.ingest), [profileOf('staying', 'other')], 'file:other.ndjson');
    world.project();
    await world.ingest();
    expect(await world.move('moving', 1)).toMatchObject({ stored_events: 3 });
    const { rows } = await world.owner(1).query('SELECT position, reason FROM set_aside');
    expect(rows).toEqual([{ position: 4, reason: 'It cannot be rendered.' }]);
    expect((await world.owner(1).query('SELECT position FROM trips')).rows).toEqual([{ position: 3 }]);
    expect(await world.audit(1)).toEqual([]);
    await putBack(world.pool(1, ROLES.operator), 4);
    await expect(world.move('moving', 0)).rejects.toThrow(
      'Different stored events of fleet moving are set aside in lanes 1 and 0: the fleet stays in lane 1.',
    );
    await putBack(world.pool(0, ROLES.operator), 3);
    expect(await world.move('moving', 0)).toMatchObject({ stored_events: 3 });
  });

  it('loses no record that only one of the lanes has read', async () => {
    world.project();
    for (const partition of [0, 1]) {
      world.publish(partition, profileOf('moving', `${partition}-one`), profileOf('moving', `${partition}-two`));
    }
    const [former, next] = [world.pool(0, ROLES.ingest), world.pool(1, ROLES.ingest)];
    // The former lane has read partition 0, and the new lane has skipped the records in partition 1.
    const [stored, passed] = [await claimSource(former, TOPIC, 0), await claimSource(next, TOPIC, 1)];
    await append(former, stored, incomingAll(world.streams[0] ?? []), 2);
    await append(next, passed, [], 2, { elsewhere: 2, fleetsElsewhere: new Set(['moving']) });
    const moving = world.move('moving', 1);
    moving.catch(() => {});
    const isHeld = async () => (await world.owner(1).query('SELECT count(*) FROM fleet_fence')).rows[0].count;
    await expect.poll(isHeld).toBe(1);
    await world.ingest();
    await moving;
    await world.untilApplied();
    expect((await driversIn(1)).sort()).toEqual(['0-one', '0-two', '1-one', '1-two']);
    expect(await countsOf(1, 0)).toEqual({ stored: 0, duplicates: 2, elsewhere: 0 });
    expect(await countsOf(1, 1)).toEqual({ stored: 0, duplicates: 0, elsewhere: 2 });
    await judgeFleet(world, 'moving', FIRST_DATE);
  });

  it('stays in its lane when the move is refused', async () => {
    await world.place('lettered', 0);
    const refusal = async (fleetId: string, lane: number) => await world.move(fleetId, lane).catch(String);
    expect(await refusal('nobody', 1)).toContain('There is no fleet nobody');
    expect(await refusal('moving', 7)).toContain('There is no lane 7');
    expect(await refusal('moving', 0)).toContain('Fleet moving is already in lane 0.');
    await putOnNode(world.directory, 1, 1);
    expect(await refusal('moving', 1)).toContain('Lane 1 does not respond');
    expect(await refusal('staying', 2)).toContain('Lane 1 does not respond');
    await takeFromNode(world.directory);
    await startMove(world.directory, 'moving', 2, 'test');
    expect(await refusal('moving', 1)).toContain('Fleet moving is being moved to lane 2');
    await world.directory.query('DELETE FROM fleet_move');
    world.publish(0, profileOf('lettered', 'one'), { ...profileOf('lettered', 'one'), first_name: 'Eve' });
    world.publish(0, { ...profileOf('lettered', 'one'), revision: 0 });
    await world.ingest();
    await expect.poll(() => world.offset(0, 0)).toBe(3);
    expect(await refusal('lettered', 1)).toContain('about fleet lettered: retry or discard them first');
    const steps = "SELECT step FROM fleet_move WHERE fleet_id = 'lettered'";
    expect(await valuesOf(world.directory, steps)).toEqual(['failed']);
    for (const fleetId of ['moving', 'lettered']) expect(await world.laneOf(fleetId)).toBe(0);
    world.publish(0, profileOf('lettered', 'two'));
    await expect.poll(() => world.offset(0, 0)).toBe(4);
  });

  it('stays in its lane when a record becomes a dead letter during the copy', async () => {
    await world.ingest();
    world.publish(0, profileOf('moving', 'one'));
    await expect.poll(() => world.offset(0, 0)).toBe(1);
    const moving = world.move('moving', 1);
    moving.catch(() => {});
    // The move waits for the new lane's read tables.
    await expect.poll(() => driversIn(1)).toEqual(['one']);
    world.publish(0, { ...profileOf('moving', 'one'), revision: 0 });
    await expect.poll(() => world.offset(0, 0)).toBe(2);
    world.project();
    await expect(moving).rejects.toThrow('Lane 0 has 1 open dead letter about fleet moving');
    expect(await world.laneOf('moving')).toBe(0);
    world.publish(0, profileOf('moving', 'two'));
    await world.untilApplied();
    expect(await driversIn(0)).toEqual(['one', 'two']);
  });

  it('ends the reading of a file, and the file can be read again after the move', async () => {
    const file = async () =>
      await run(['ingest', '-'], { DATABASE_URL: world.url }, toNdjson([profileOf('moving', 'one')]));
    await setFence(world.pool(0, ROLES.ingest), { fleetId: 'moving', stores: false, passes: false, epoch: 0 });
    expect(await file()).toMatchObject({ code: 1, stderr: expect.stringContaining('is being moved to another lane') });
    expect(await driversIn(0)).toEqual([]);
    world.project();
    await world.move('moving', 1);
    expect(await file()).toMatchObject({ code: 0, stdout: '1 read: 1 stored, 0 duplicates, 0 dead letters\n' });
    expect(await driversIn(1)).toEqual(['one']);
  });

  it('stays in its lane, which stores its records, if the copy differs', async () => {
    await world.start(profileOf('moving', 'one'), profileOf('moving', 'two'));
    await world.owner(0).query("UPDATE stored_event SET content_hash = '\\x00' WHERE driver_id = 'one'");
    await expect(world.move('moving', 1)).rejects.toThrow('differ in number or content: the fleet stays in lane 0');
    expect(await world.laneOf('moving')).toBe(0);
    world.publish(0, profileOf('moving', 'three'));
    await world.untilApplied();
    expect(await driversIn(0)).toEqual(['one', 'two', 'three']);
  });

  it('has the same digest, no matter in how many ranges of positions its stored events are read', async () => {
    const profiles = numberedProfiles(7, { fleet_id: 'moving' }).flatMap((each) => [
      each,
      { ...each, fleet_id: 'staying' },
    ]);
    await deliver(world.pool(0, ROLES.ingest), profiles);
    const { signal } = new AbortController();
    const extended = async (digest: typeof EMPTY_DIGEST, through: number, rangePositions?: number) =>
      await extendDigest(world.owner(0), 'moving', digest, through, signal, rangePositions);
    const head = profiles.length;
    const [whole, start] = [await extended(EMPTY_DIGEST, head), await extended(EMPTY_DIGEST, 3)];
    expect([whole, start]).toMatchObject([{ storedEvents: 7 }, { through: 3, storedEvents: 2 }]);
    expect(start.digest).not.toBe(whole.digest);
    for (const rangePositions of [1, 2, 5, head - 1, head]) {
      expect(await extended(EMPTY_DIGEST, head, rangePositions), `ranges of ${rangePositions}`).toEqual(whole);
      expect(await extended(start, head, rangePositions), `ranges of ${rangePositions}`).toEqual(whole);
    }
  });

  it('can be erased in every lane that holds a copy, but not while it moves', async () => {
    world.publish(1, tripProcessed({ fleet_id: 'moving', driver_id: 'person-one' }));
    await world.start(profileOf('moving', 'person-one'), profileOf('moving', 'person-two'));
    await world.move('moving', 1);
    await startMove(world.directory, 'moving', 2, 'test');
    expect(await erase()).toMatchObject({ code: 1, stderr: expect.stringContaining('is being moved to lane 2') });
    await world.directory.query("DELETE FROM fleet_move WHERE step = 'copying'");
    expect(await erase()).toMatchObject({ code: 0, stdout: expect.stringContaining('"stored_events": 2') });
    for (const lane of [0, 1]) {
      expect((await driversIn(lane)).filter((driver) => driver === 'person-one')).toEqual([]);
      expect((await world.owner(lane).query("SELECT FROM drivers WHERE driver_id = 'person-one'")).rows).toEqual([]);
    }
    world.publish(0, { ...profileOf('moving', 'person-one'), revision: 2 });
    await world.untilApplied();
    expect(await driversIn(1)).not.toContain('person-one');
    await expect(world.move('moving', 2)).rejects.toThrow('have been erased in lane 1');
  });

  it('stays in its lane if the new lane refuses one of its records', async () => {
    await world.start(profileOf('moving', 'person-one'), profileOf('moving', 'person-two'));
    await world.move('moving', 1);
    await world.owner(0).query("UPDATE stored_event SET content_hash = '\\x00' WHERE driver_id = 'person-two'");
    await expect(world.move('moving', 0)).rejects.toThrow('The new lane refuses a record about fleet moving (');
    expect(await world.laneOf('moving')).toBe(1);
    world.publish(0, profileOf('moving', 'person-three'));
    await world.untilApplied();
    expect(await driversIn(1)).toEqual(['person-one', 'person-two', 'person-three']);
  });

  it('is erased even if only a settled dead letter in a former lane names the driver', async () => {
    await world.directory.query("UPDATE fleet SET lane = 1 WHERE fleet_id = 'moving'");
    await world.start(profileOf('moving', 'other'), { ...profileOf('moving', 'person-one'), revision: 0 });
    await world.discardLetters(1);
    await world.move('moving', 2);
    expectSuccess(await erase());
    expect((await world.owner(1).query('SELECT raw FROM dead_letter')).rows).toEqual([{ raw: null }]);
    world.publish(0, profileOf('moving', 'person-one'));
    await world.untilApplied();
    expect(await driversIn(2)).toEqual(['other']);
  });

  it.each([
    ['for the first time', []],
    ['again after a failed move', ['failed']],
  ])('is erased in a lane that it began to move to during the erasure, %s', async (_, earlier) => {
    const failMove = async () =>
      await setStep(world.directory, await startMove(world.directory, 'moving', 2, 'test'), 'failed');
    for (const _step of earlier) await failMove();
    await world.ingest();
    world.publish(0, profileOf('moving', 'person-one'));
    await expect.poll(() => world.offset(0, 0)).toBe(1);
    const copyMeanwhile = async () => {
      await lockWaiters(world.directory, 1);
      await failMove();
      await deliver(world.pool(2, ROLES.ingest), [profileOf('moving', 'person-one')], 'move:0:moving');
    };
    expectSuccess(await whileLocked(world.owner(0), 'SELECT FROM log_head FOR UPDATE', copyMeanwhile, erase));
    for (const lane of [0, 2]) expect(await driversIn(lane)).toEqual([expect.stringMatching(/^erased-/)]);
  });
});
