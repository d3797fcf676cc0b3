import {
  ConnectionLimit,
  createPool,
  inTransaction,
  type Part,
  type Pool,
  query,
  statement,
  text,
} from '@milepost/postgres';
import { newLane } from '@milepost/postgres/lanes';
import { afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openPool } from '../../support/pipeline.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { administer } from '../../support/template.ts';

const LANES = 16;
const CONNECTIONS = 5;
/** Most statements open a connection, which takes a busy machine a few hundred milliseconds. */
const STATEMENTS = 240;
const PATIENCE_MILLISECONDS = 120_000;
const APPLICATION = 'test-shared-connections';

const SHOW_SCHEMA = statement('test-show-schema', {
  schema: text,
})`SELECT current_schema()::text AS schema, pg_sleep(0.002)`;

describeWithPostgres('pools of many lanes', () => {
  let database: TestDatabase;
  let lanes: Part[];
  let pools: Pool[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
    lanes = Array.from({ length: LANES }, (_, number) => newLane(database.url, number));
    await administer(
      database.url,
      lanes.map(({ schema }) => `CREATE SCHEMA ${schema}`),
    );
    return async () => await database.drop();
  });
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.end()));
  });

  function open(limit: ConnectionLimit): Pool[] {
    pools = lanes.map((part) =>
      createPool({
        part,
        applicationName: APPLICATION,
        connections: limit.max,
        limit,
        statementTimeoutMilliseconds: 5_000,
      }),
    );
    return pools;
  }

  it(
    'run each statement in the schema of their lane, with no more connections than the limit',
    async () => {
      const opened = open(new ConnectionLimit(CONNECTIONS, PATIENCE_MILLISECONDS));
      const owner = openPool(database.url);
      const counts: number[] = [];
      let isDone = false;
      const watching = (async () => {
        while (!isDone) {
          const { rows } = await owner.query('SELECT count(*) FROM pg_stat_activity WHERE application_name = $1', [
            APPLICATION,
          ]);
          counts.push(Number(rows[0].count));
        }
      })();
      const run = async (index: number) => {
        const number = (index * 7 + Math.floor(index / LANES)) % LANES;
        const pool = opened[number];
        if (!pool) throw new Error('There is a pool for each lane.');
        const [one] =
          index % 3 === 0
            ? await inTransaction(pool, async (transaction) => await transaction.rows(SHOW_SCHEMA))
            : await query(pool, SHOW_SCHEMA);
        expect(one?.schema).toBe(`milepost_lane_${number}`);
      };
      await Promise.all(Array.from({ length: STATEMENTS }, (_, index) => run(index)));
      isDone = true;
      await watching;
      await owner.end();
      expect(counts.length).toBeGreaterThan(10);
      // The server lists a closed connection until the process of the connection has ended. Without a limit, there
      // would be one connection for each lane.
      expect(Math.max(...counts)).toBeLessThanOrEqual(2 * CONNECTIONS);
      expect(opened.reduce((sum, { totalCount }) => sum + totalCount, 0)).toBeLessThanOrEqual(CONNECTIONS);
    },
    PATIENCE_MILLISECONDS,
  );

  it('reuse their connections while callers of two lanes want more than the limit', async () => {
    const [one, other] = open(new ConnectionLimit(4, PATIENCE_MILLISECONDS));
    if (!one || !other) throw new Error('There are two pools.');
    let opened = 0;
    for (const pool of [one, other]) pool.on('connect', () => (opened += 1));
    const read = async (pool: Pool) => {
      for (let time = 0; time < 100; time += 1) await query(pool, SHOW_SCHEMA);
    };
    await Promise.all([one, other, one, other, one, other].map(read));
    // Without preference for the own connections, nearly each of the 600 statements opens one.
    expect(opened).toBeLessThan(60);
  });

  it('open one connection for all callers of a lane that wait, when callers of two lanes take turns', async () => {
    const [one, other] = open(new ConnectionLimit(1, PATIENCE_MILLISECONDS));
    if (!one || !other) throw new Error('There are two pools.');
    const held = await one.connect();
    let opened = 0;
    for (const pool of [one, other]) pool.on('connect', () => (opened += 1));
    const waiting = [other, one, other, one, other, one, other, one].map((pool) => query(pool, SHOW_SCHEMA));
    held.release();
    const schemas = (await Promise.all(waiting)).map(([row]) => row?.schema);
    expect(schemas).toEqual(Array.from({ length: 8 }, (_, index) => `milepost_lane_${(index + 1) % 2}`));
    expect(opened).toBeLessThanOrEqual(2);
  });

  it('close the connection of the lane that was used longest ago when another lane needs one', async () => {
    const [one, two, three] = open(new ConnectionLimit(2, PATIENCE_MILLISECONDS));
    if (!one || !two || !three) throw new Error('There are three pools.');
    const counts = () => [one, two, three].map(({ totalCount }) => totalCount);
    for (const [pool, expected] of [
      [one, [1, 0, 0]],
      [two, [1, 1, 0]],
      [one, [1, 1, 0]],
      [three, [1, 0, 1]],
      [two, [0, 1, 1]],
    ] as const) {
      await query(pool, SHOW_SCHEMA);
      await expect.poll(counts).toEqual(expected);
    }
  });

  it('open a connection in the place of an idle one of another lane when their own is not returned soon', async () => {
    const [one, other] = open(new ConnectionLimit(2, 5_000));
    if (!one || !other) throw new Error('There are two pools.');
    await query(one, SHOW_SCHEMA);
    const held = await other.connect();
    try {
      expect(await query(other, SHOW_SCHEMA)).toMatchObject([{ schema: 'milepost_lane_1' }]);
      expect([one.totalCount, other.totalCount]).toEqual([0, 2]);
    } finally {
      held.release();
    }
  });

  it('promise an idle connection to one caller only', async () => {
    const [one, other] = open(new ConnectionLimit(2, PATIENCE_MILLISECONDS));
    if (!one || !other) throw new Error('There are two pools.');
    for (const pool of [one, other]) await query(pool, SHOW_SCHEMA);
    let opened = 0;
    for (const pool of [one, other]) pool.on('connect', () => (opened += 1));
    // A caller that waits too long for its own lane gets a new connection. Here no time passes.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = [one.connect(), one.connect()] as const;
    (await asked[0]).release();
    (await asked[1]).release();
    expect([one.totalCount, other.totalCount]).toEqual([1, 1]);
    expect(opened).toBe(0);
  });

  it('let no caller wait longer than its timeout, and continue when connections are free again', async () => {
    const [one, other] = open(new ConnectionLimit(1, 100));
    if (!one || !other) throw new Error('There are two pools.');
    const held = await one.connect();
    await expect(query(other, SHOW_SCHEMA)).rejects.toThrow('timeout exceeded when trying to connect');
    const waiting = query(other, SHOW_SCHEMA);
    held.release();
    expect(await waiting).toMatchObject([{ schema: 'milepost_lane_1' }]);
    expect(await query(one, SHOW_SCHEMA)).toMatchObject([{ schema: 'milepost_lane_0' }]);
  });

  it('release the place of a connection that cannot be opened, and of one that the server closes', async () => {
    const limit = new ConnectionLimit(1);
    const [one, other] = open(limit);
    if (!one || !other) throw new Error('There are two pools.');
    const away = createPool({
      part: { kind: 'lane', schema: 'away', url: 'postgres://nobody@127.0.0.1:1/nowhere' },
      applicationName: APPLICATION,
      connections: 1,
      limit,
      statementTimeoutMilliseconds: 1_000,
    });
    pools.push(away);
    for (let attempt = 0; attempt < 3; attempt += 1)
      await expect(query(away, SHOW_SCHEMA)).rejects.toThrow('ECONNREFUSED');
    await expect(one.query('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toThrow();
    expect(await query(other, SHOW_SCHEMA)).toMatchObject([{ schema: 'milepost_lane_1' }]);
  });
});
