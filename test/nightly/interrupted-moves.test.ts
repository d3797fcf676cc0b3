import type { Pool } from '@milepost/postgres';
import { beforeEach, expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { perTest } from '../support/fixtures.ts';
import { judgeFleet } from '../support/judge-fleet.ts';
import { putOnNode, takeFromNode } from '../support/lane-node.ts';
import { LaneWorld } from '../support/lane-world.ts';
import { type RunningProcess, startProcess } from '../support/processes.ts';
import { driverProfile, tripProcessed } from '../support/records.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { firstValue } from '../support/tables.ts';

const FIRST_DATE = '2025-01-15';
const INTERRUPTED = 'The move of fleet moving has been interrupted, and records are waiting. ';
const COMMAND = ['fleets', 'move', 'moving', '1', '--json'];

describeWithPostgres('a move that is interrupted', () => {
  const world = perTest(() => LaneWorld.create());
  let ingest: Awaited<ReturnType<LaneWorld['ingest']>>;
  beforeEach(async () => {
    await world.place('moving', 0);
    await world.place('staying', 1);
    world.project();
    ingest = await world.ingest();
    publish('one');
    await world.untilApplied();
  });

  /** Publishes a driver for each fleet, and a trip for the moving fleet. */
  function publish(driver_id: string): void {
    world.publish(0, ...['moving', 'staying'].map((fleet_id) => driverProfile({ fleet_id, driver_id })));
    world.publish(1, tripProcessed({ fleet_id: 'moving', driver_id, source_trip_id: `trip of ${driver_id}` }));
  }

  /** Resolves when the command is waiting for a lock. */
  async function untilBlocked(): Promise<void> {
    const blocked = `SELECT count(*) FROM pg_stat_activity
      WHERE application_name = 'milepost-cli' AND wait_event_type = 'Lock' AND datname = current_database()`;
    await expect.poll(() => firstValue(world.directory, blocked)).toBe(1);
  }

  /** Takes a lock. Returns a function that releases it. */
  async function lock(pool: Pool, sql: string): Promise<() => Promise<void>> {
    const holder = await pool.connect();
    await holder.query('BEGIN');
    await holder.query(sql);
    return async () => {
      await holder.query('COMMIT');
      holder.release();
    };
  }

  const lockFences = async (lane: number) =>
    await lock(world.owner(lane), 'LOCK TABLE fleet_fence IN SHARE ROW EXCLUSIVE MODE');
  const lockFleet = async () =>
    await lock(world.directory, "SELECT FROM fleet WHERE fleet_id = 'moving' FOR NO KEY UPDATE");

  /**
   * Takes locks with `take` before the command starts, so that the command has to wait. Returns a function that
   * releases the locks.
   */
  function stopAt(take: () => Promise<() => Promise<void>>) {
    return async (begin: () => void) => {
      const release = await take();
      begin();
      await untilBlocked();
      return release;
    };
  }

  async function stopAfterSwitch(begin: () => void) {
    const releaseFleet = await stopAt(lockFleet)(begin);
    const releaseFences = await lockFences(0);
    await releaseFleet();
    await expect.poll(async () => await world.laneOf('moving')).toBe(1);
    await untilBlocked();
    return releaseFences;
  }

  /** Publishes records while the command is stopped in a step, and then kills the command. */
  async function killAt(stop: ReturnType<typeof stopAt>, step: string): Promise<void> {
    let command: RunningProcess | undefined;
    const release = await stop(() => {
      command = startProcess(COMMAND, { DATABASE_URL: world.url });
    });
    publish('two');
    await command?.kill();
    await release();
    expect(await stepOf()).toBe(step);
  }

  /** Ingest may wait up to two minutes before it tries a lane again, but a new process tries immediately. */
  async function restartIngest(): Promise<void> {
    await ingest.end();
    ingest = await world.ingest();
  }

  const stepOf = async () => await firstValue(world.directory, 'SELECT step FROM fleet_move');

  const whileCopying = stopAt(async () => await lock(world.owner(1), 'SELECT FROM log_head FOR UPDATE'));

  it.each([
    ['it copies', whileCopying, 'copying', 'failed', 0, ''],
    ['both lanes hold records', stopAt(lockFleet), 'holding', 'holding', 0, INTERRUPTED],
    ['it opens the fences', stopAfterSwitch, 'switched', 'switched', 1, ''],
  ] as const)(
    'by SIGKILL while %s stops no lane that responds, even if the new lane does not, and continues later',
    async (_when, stop, step, left, lane, interrupted) => {
      await killAt(stop, step);
      await putOnNode(world.directory, 1, 1);
      const refused = await run(COMMAND, { DATABASE_URL: world.url });
      const reason = 'Lane 1 does not respond (connect ECONNREFUSED 127.0.0.1:1)';
      const remedy = 'run `milepost fleets move moving 1` again once it responds.';
      expect(refused).toEqual({ code: 1, stdout: '', stderr: `milepost: ${interrupted}${reason}: ${remedy}\n` });
      expect(await stepOf()).toBe(left);
      await restartIngest();
      publish('three');
      if (lane === 0) {
        await world.untilApplied([0]);
        await judgeFleet(world, 'moving', FIRST_DATE);
      }
      await takeFromNode(world.directory);
      const again = await run(COMMAND, { DATABASE_URL: world.url });
      expect(again.code, again.stderr).toBe(0);
      await restartIngest();
      publish('four');
      await world.untilApplied();
      await judgeFleet(world, 'moving', FIRST_DATE);
    },
  );

  it('by an abort while both lanes hold records leaves the fleet in its lane, and that lane stores its records', async () => {
    const offset = await world.offset(0, 0);
    // The new lane seems to be ahead, so the move waits.
    await world
      .owner(0)
      .query('UPDATE log_source SET next_offset = next_offset - 1, epoch = epoch + 1 WHERE partition = 0');
    const stop = new AbortController();
    const moving = world.move('moving', 1, stop.signal);
    moving.catch(() => {});
    await expect.poll(stepOf).toBe('holding');
    stop.abort(new Error('stopped by the operator'));
    await expect(moving).rejects.toThrow('stopped by the operator');
    expect(await stepOf()).toBe('failed');
    expect(await world.laneOf('moving')).toBe(0);
    await world.owner(0).query('UPDATE log_source SET next_offset = $1 WHERE partition = 0', [offset]);
    publish('two');
    await world.untilApplied();
    await judgeFleet(world, 'moving', FIRST_DATE);
    expect(await world.move('moving', 1)).toMatchObject({ stored_events: 4 });
  });
});
