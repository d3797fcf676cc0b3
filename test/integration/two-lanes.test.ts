import { setTimeout as delay } from 'node:timers/promises';
import { advanceHead, lockHead } from '@milepost/event-log/head';
import { ProjectorMetrics } from '@milepost/metrics/projector';
import { inTransaction, laneAt, type Part, type Pool, ROLES, SQLSTATES, type Transaction } from '@milepost/postgres';
import { migrate } from '@milepost/postgres/migrations';
import { lockSchema } from '@milepost/postgres/schema-lock';
import { WakeUp } from '@milepost/projections/engine';
import { createLogger } from '@milepost/service';
import { levels } from 'pino';
import { expect, it } from 'vitest';
import { listenForAppends, listenOnServer } from '../../apps/projector/listen.ts';
import { projectLane, projectLaneAgain } from '../../apps/projector/main.ts';
import { startCuttingPostgres, startForwardingPostgres } from '../support/faults/postgres-proxy.ts';
import { perSuite, untilTestEnds } from '../support/fixtures.ts';
import { LaneWorld } from '../support/lane-world.ts';
import { lockWaiters } from '../support/locks.ts';
import { deliver, openPartPool, projectAll } from '../support/pipeline.ts';
import { recordedLog } from '../support/recorded-log.ts';
import { tripProcessed } from '../support/records.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { valuesOf } from '../support/tables.ts';

const lockSchemaFor = (lock: Parameters<typeof lockSchema>[0]) => async (transaction: Transaction) =>
  await transaction.run(lockSchema(lock));

describeWithPostgres('two lanes in one database', () => {
  const world = perSuite(() => LaneWorld.create(2, 1));
  const openLane = (number: number) => ({
    lane: world.lane(number),
    owner: world.owner(number),
    ingest: world.pool(number, ROLES.ingest),
    projector: world.pool(number, ROLES.projector),
    api: world.pool(number, ROLES.api),
  });
  type LanePools = ReturnType<typeof openLane>;
  const openLanes = () => [openLane(0), openLane(1)] as const;

  /** Notifies a lane's listeners as an append does. */
  async function append({ ingest }: LanePools): Promise<void> {
    await inTransaction(ingest, async (transaction) => {
      const { position } = await lockHead(transaction);
      await advanceHead(transaction, position);
    });
  }

  /** Returns the process ids of the listening sessions. */
  const listeners = async () =>
    await valuesOf<number>(
      world.owner(0),
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'idle' AND query LIKE 'LISTEN %'`,
    );

  /** A wake-up signal that adds `name` to `heard` when it is notified. */
  function wakeUpThatAdds(name: string, heard: string[]): WakeUp {
    const wakeUp = new WakeUp();
    wakeUp.notify = () => heard.push(name);
    return wakeUp;
  }

  /** The lowest checkpoint of a lane's read tables. */
  const checkpointOf = async ({ owner }: LanePools) =>
    (await owner.query('SELECT min(checkpoint) AS position FROM generation')).rows[0].position;

  it.each([
    ['preparation of generations', lockSchemaFor('preparation')],
    ['requests for replays', lockSchemaFor('request')],
    ['building of generations', lockSchemaFor('building')],
    ['the head', lockHead],
  ])('do not wait for each other at the lock for %s', async (_what, lock) => {
    const [one, two] = openLanes();
    await inTransaction(one.owner, async (held) => {
      await lock(held);
      await inTransaction(two.owner, async (other) => {
        // If this transaction had to wait for the lock, it would fail.
        await other.run("SET LOCAL lock_timeout = '1ms'");
        await lock(other);
      });
      const again = inTransaction(one.owner, async (same) => {
        await same.run("SET LOCAL lock_timeout = '1ms'");
        await lock(same);
      });
      await expect(again).rejects.toMatchObject({ code: SQLSTATES.lock_not_available });
    });
  });

  it('can be migrated while a migrator for the other lane is waiting', async () => {
    const [one, two] = openLanes();
    let waiting: Promise<void> | undefined;
    await inTransaction(one.owner, async (held) => {
      await held.run('LOCK TABLE migration');
      waiting = migrate(one.lane);
      await lockWaiters(two.owner, 1);
      await migrate(two.lane);
    });
    await waiting;
  });

  it('do not notify each other', async () => {
    const [one, two] = openLanes();
    const stop = new AbortController();
    const heard: string[] = [];
    const wakeUps = new Map([
      [one.lane.schema, wakeUpThatAdds('one', heard)],
      [two.lane.schema, wakeUpThatAdds('two', heard)],
    ]);
    const listening = listenOnServer(one.projector, wakeUps, stop.signal);
    await expect.poll(listeners).toHaveLength(1);
    for (const lane of [two, one, two, one]) await append(lane);
    // PostgreSQL delivers a database's notifications in commit order. Before a lane's second notification, there is one
    // from the other lane, so a lane that heard both lanes would count at least three.
    const countHeard = () => ['one', 'two'].map((name) => heard.filter((each) => each === name).length);
    await expect.poll(() => Math.min(...countHeard())).toBeGreaterThanOrEqual(2);
    expect(countHeard()).toEqual([2, 2]);
    stop.abort();
    await listening;
  });

  it("are listened to again after the listener's connection was lost", async () => {
    const [one] = openLanes();
    const stop = new AbortController();
    const heard: string[] = [];
    const wakeUps = new Map([[one.lane.schema, wakeUpThatAdds('one', heard)]]);
    const listening = listenOnServer(one.projector, wakeUps, stop.signal);
    await expect.poll(listeners).toHaveLength(1);
    const lost = await listeners();
    await one.owner.query('SELECT pg_terminate_backend(pid) FROM unnest($1::integer[]) AS pid', [lost]);
    await expect.poll(listeners).toEqual([expect.toSatisfy((pid) => !lost.includes(pid))]);
    await append(one);
    await expect.poll(() => heard).toEqual(['one']);
    stop.abort();
    await listening;
  });

  it('in a cluster share one listener per node, and get new listeners when one moves to another node', async () => {
    const { hostname, port } = new URL(world.url);
    const [first, second] = [`${hostname}:${port}`, `${hostname === 'localhost' ? '127.0.0.1' : 'localhost'}:${port}`];
    const nodes = [first, first];
    let isFound = false;
    const heard: string[] = [];
    const inCluster = openLanes().map(({ lane }, number) => {
      const host = {
        usable: async () => {
          if (!isFound) throw new Error('The node cannot be found.');
          return nodes[number] ?? first;
        },
        forget: () => {},
      };
      return { lane: { ...lane, number, host }, wakeUp: wakeUpThatAdds(lane.schema, heard) };
    });
    const opened: { schema: string; pool: Pool }[] = [];
    const open = (lane: Part) => {
      const pool = openPartPool(lane, ROLES.projector, 1);
      opened.push({ schema: lane.schema, pool });
      return pool;
    };
    const stop = new AbortController();
    const listening = listenForAppends(inCluster, open, stop.signal);
    const [one, two] = openLanes();
    // Notifications before the first LISTEN are lost.
    const hearsBoth = async () => {
      heard.length = 0;
      await append(one);
      await append(two);
      return new Set(heard).size;
    };
    // The first search for the nodes fails.
    expect(await hearsBoth()).toBe(0);
    isFound = true;
    await expect.poll(hearsBoth).toBe(2);
    expect(opened.map(({ schema }) => schema)).toEqual([one.lane.schema]);
    nodes[1] = second;
    await expect.poll(() => opened.length).toBe(3);
    await expect.poll(hearsBoth).toBe(2);
    expect(opened.map(({ schema }) => schema)).toEqual([one, one, two].map(({ lane }) => lane.schema));
    expect(opened.map(({ pool }) => pool.ended)).toEqual([true, false, false]);
    stop.abort();
    await listening;
    expect(opened.map(({ pool }) => pool.ended)).toEqual([true, true, true]);
  });

  it("keep the pool's schema and role, whatever options the URL contains", async () => {
    const [, two] = openLanes();
    const url = new URL(world.url);
    url.searchParams.set('options', '-c search_path=public -c role=none -c work_mem=1234kB');
    const pool = untilTestEnds(openPartPool({ ...two.lane, url: url.href }, ROLES.api, 1));
    const settings = await pool.query(
      "SELECT current_setting('search_path') AS path, current_user AS role, current_setting('work_mem') AS memory",
    );
    expect(settings.rows).toEqual([{ path: two.lane.schema, role: ROLES.api, memory: '1234kB' }]);
  });

  it('stop listening if the signal aborts before the connection is open', async () => {
    const [{ lane }] = openLanes();
    const pool = untilTestEnds(openPartPool(lane, ROLES.projector, 1));
    const held = await pool.connect();
    const stop = new AbortController();
    const listening = listenOnServer(pool, new Map([[lane.schema, new WakeUp()]]), stop.signal);
    expect(pool.waitingCount).toBe(1);
    stop.abort();
    held.release();
    // An idle connection is closed after 30 s, but this one must be closed immediately.
    await expect.poll(() => pool.totalCount, { timeout: 15_000 }).toBe(0);
    await listening;
  });

  it('stop listening if the signal aborts while the server hangs', async () => {
    const [{ lane }] = openLanes();
    const hanging = Promise.withResolvers<void>();
    const proxy = await startForwardingPostgres(world.url, (bytes, upstream) =>
      bytes.includes('LISTEN') ? hanging.resolve() : upstream.write(bytes),
    );
    const url = untilTestEnds(proxy).url;
    const pool = untilTestEnds(openPartPool({ ...lane, url }, ROLES.projector, 1));
    const stop = new AbortController();
    const listening = listenOnServer(pool, new Map([[lane.schema, new WakeUp()]]), stop.signal);
    await hanging.promise;
    stop.abort();
    const outcome = await Promise.race([listening.then(() => 'stopped'), delay(5_000, 'hangs', { ref: false })]);
    expect(outcome).toBe('stopped');
  });

  it("report a lane's permanent fault with its remedy, and are projected again once it is corrected", async () => {
    const [{ lane, owner, ingest }] = openLanes();
    const { logger, lines } = recordedLog<{ level: number; message: string }>();
    const errors = () => lines.filter(({ level }) => level === levels.values['error']).map(({ message }) => message);
    const pool = untilTestEnds(openPartPool(lane, ROLES.projector));
    const stop = new AbortController();
    const options = { pool, wakeUp: new WakeUp(), pollMilliseconds: 10, metrics: new ProjectorMetrics(), logger };
    const start = (signal: AbortSignal) => projectLaneAgain({ ...options, signal });
    await owner.query(`REVOKE SELECT ON log_head FROM ${ROLES.projector}`);
    const first = start(stop.signal);
    await expect.poll(errors).toEqual(['The lane is not being projected: permission denied for table log_head']);
    await owner.query(`GRANT SELECT ON log_head TO ${ROLES.projector}`);
    const { headPosition } = await deliver(ingest, [tripProcessed({ source_trip_id: 'after-the-fault' })]);
    await expect.poll(() => checkpointOf(openLane(0))).toBe(headPosition);
    // Unlike the error about a table with a different version, the error about a stored event that cannot be applied
    // suggests no remedy.
    await owner.query('ALTER TABLE fleets_1 ADD CONSTRAINT no_growth CHECK (position <= 0) NOT VALID');
    const next = (await deliver(ingest, [tripProcessed({ source_trip_id: 'refused' })])).headPosition;
    await expect.poll(() => errors().length).toBe(2);
    expect(errors()[1]).toMatch(
      new RegExp(`^Projection fleets cannot apply the stored event at position ${next}: .*"no_growth"$`),
    );
    stop.abort();
    await first;
    await owner.query('ALTER TABLE fleets_1 DROP CONSTRAINT no_growth');
    await start(AbortSignal.abort());
    expect(errors()).toHaveLength(2);
    await projectAll(openLane(0));
  });

  it('are projected although the connection that prepares their read tables is lost', async () => {
    const [{ lane, ingest }] = openLanes();
    const proxy = untilTestEnds(await startCuttingPostgres(world.url));
    const pool = untilTestEnds(openPartPool(laneAt(proxy.url, lane.schema), ROLES.projector));
    const stop = new AbortController();
    const projecting = projectLane({
      pool,
      wakeUp: new WakeUp(),
      pollMilliseconds: 10,
      metrics: new ProjectorMetrics(),
      logger: createLogger('projector', 'silent'),
      signal: stop.signal,
    }).catch((error: unknown) => error);
    const { headPosition } = await deliver(ingest, [tripProcessed({ source_trip_id: 'after-the-loss' })]);
    const applied = expect.poll(() => checkpointOf(openLane(0))).toBe(headPosition);
    const outcome = await Promise.race([projecting, applied.then(() => 'applied')]);
    stop.abort();
    await projecting;
    await applied.catch(() => {});
    expect(outcome).toBe('applied');
    expect(proxy.hasCut()).toBe(true);
  });
});
