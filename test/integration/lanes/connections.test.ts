import { connectionUsage, inTransaction, type Part, query, ServerPools, statement } from '@milepost/postgres';
import { newLane } from '@milepost/postgres/lanes/add-lane';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { perSuite, untilTestEnds } from '../../support/fixtures.ts';
import { openPool } from '../../support/pipeline.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { valuesOf } from '../../support/tables.ts';
import { startProxyTo } from '../../support/tcp-proxy.ts';
import { administer } from '../../support/template.ts';

const LANES = 16;
const CONNECTIONS = 5;
const STATEMENTS = 240;
const PATIENCE_MILLISECONDS = 120_000;
const APPLICATION = 'test-shared-connections';

const SHOW_SCHEMA = statement('test-show-schema', {
  schema: 'text',
})`SELECT current_schema()::text AS schema, pg_sleep(0.002)`;

const READ_OWN = statement('test-read-own', { name: 'text' })`SELECT name FROM own`;

describeWithPostgres('pools of many lanes', () => {
  const database = perSuite(createTestDatabase);
  let lanes: Part[];
  beforeAll(async () => {
    lanes = Array.from({ length: LANES }, (_, number) => newLane(database.url, number));
    await administer(
      database.url,
      lanes.map(
        ({ schema }, lane) =>
          `CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.own AS SELECT 'lane ${lane}'::text AS name`,
      ),
    );
  });

  /** Opens the pools of at least two parts until the test ends. */
  function open(connections: number, acquireTimeoutMilliseconds = PATIENCE_MILLISECONDS, parts = lanes) {
    const servers = new ServerPools({
      applicationName: APPLICATION,
      connections,
      statementTimeoutMilliseconds: 5_000,
      acquireTimeoutMilliseconds,
    });
    const [one, other, ...others] = parts.map((part) => untilTestEnds(servers.open(part)));
    if (!one || !other) throw new Error('There are two pools.');
    return [one, other, ...others] as const;
  }

  it(
    "run each statement in their lane's schema, with no more connections than the limit",
    async () => {
      const opened = open(CONNECTIONS);
      const owner = untilTestEnds(openPool(database.url));
      const counts: number[] = [];
      let isDone = false;
      const sql = 'SELECT count(*)::int FROM pg_stat_activity WHERE application_name = $1';
      const watching = (async () => {
        while (!isDone) counts.push(...(await valuesOf<number>(owner, sql, [APPLICATION])));
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
        expect(await query(pool, READ_OWN)).toEqual([{ name: `lane ${number}` }]);
      };
      await Promise.all(Array.from({ length: STATEMENTS }, (_, index) => run(index)));
      isDone = true;
      await watching;
      expect(counts.length).toBeGreaterThan(10);
      expect(Math.max(...counts)).toBeLessThanOrEqual(CONNECTIONS);
      expect(connectionUsage(opened)).toMatchObject({ used: 0, waiting: 0, maximum: CONNECTIONS });
    },
    PATIENCE_MILLISECONDS,
  );

  it("find their lane's tables after a transaction in another lane has failed on the connection", async () => {
    const [one, other] = open(1);
    await expect(inTransaction(other, async (transaction) => await transaction.run('SELECT 1/0'))).rejects.toThrow(
      'zero',
    );
    expect(await query(one, READ_OWN)).toEqual([{ name: 'lane 0' }]);
    expect(await query(other, READ_OWN)).toEqual([{ name: 'lane 1' }]);
    expect(one.totalCount).toBe(1);
  });

  it('prepare a statement for each lane, because its columns may differ between lanes', async () => {
    const [one, other] = open(1);
    await query(one, READ_OWN);
    await other.query(`ALTER TABLE own ALTER COLUMN name TYPE varchar(20)`);
    onTestFinished(
      async () => await administer(database.url, ['ALTER TABLE milepost_lane_1.own ALTER COLUMN name TYPE text']),
    );
    for (const pool of [other, one, other]) {
      expect(await query(pool, READ_OWN)).toHaveLength(1);
      expect(await inTransaction(pool, async (transaction) => await transaction.rows(READ_OWN))).toHaveLength(1);
    }
  });

  it('replace a connection that has worked in 64 lanes and whose prepared statements fill the memory', async () => {
    const many = Array.from({ length: 65 }, (_, number) => newLane(database.url, number));
    const opened = open(1, PATIENCE_MILLISECONDS, many);
    const pids: number[] = [];
    for (const pool of [...opened.slice(0, 64), ...opened.slice(5, 6), ...opened.slice(64), ...opened.slice(0, 1)]) {
      pids.push(...(await valuesOf<number>(pool, 'SELECT pg_backend_pid()')));
    }
    const [first, last] = [pids[0], pids.at(-1)];
    expect(last).not.toBe(first);
    expect(pids).toEqual([...Array.from({ length: 65 }, () => first), last, last]);
  });

  it('do not let callers wait longer than their timeout, and continue when connections are free again', async () => {
    const [one, other] = open(1, 1_000);
    const held = await one.connect();
    await expect(query(other, SHOW_SCHEMA)).rejects.toThrow('timeout exceeded when trying to connect');
    const waiting = query(other, SHOW_SCHEMA);
    expect(connectionUsage([one, other])).toEqual({ used: 1, idle: 0, waiting: 1, maximum: 1 });
    held.release();
    expect(await waiting).toMatchObject([{ schema: 'milepost_lane_1' }]);
    expect(await query(one, SHOW_SCHEMA)).toMatchObject([{ schema: 'milepost_lane_0' }]);
  });

  it("release the place of a connection that the server closes, even before it has the lane's schema", async () => {
    const proxy = untilTestEnds(await startProxyTo(database.url));
    const [one, other] = open(1, 5_000, [newLane(proxy.url, 0), newLane(proxy.url, 1)]);
    await query(one, SHOW_SCHEMA);
    await proxy.cut();
    for (let attempt = 0; attempt < 3; attempt += 1) await expect(query(other, SHOW_SCHEMA)).rejects.toThrow();
    await proxy.restore();
    expect(await query(other, SHOW_SCHEMA)).toMatchObject([{ schema: 'milepost_lane_1' }]);
    await expect(one.query('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toThrow();
    expect(await query(one, SHOW_SCHEMA)).toMatchObject([{ schema: 'milepost_lane_0' }]);
  });

  it('take no connection from the lanes of another server', async () => {
    const away = { ...newLane('postgres://nobody@127.0.0.1:1/nowhere', 2) };
    const node = { usable: async () => new URL(database.url).host, forget: () => {} };
    const [first, onNode, lost] = open(1, 5_000, [
      newLane(database.url, 0),
      { ...newLane(database.url, 1), host: node },
      away,
    ]);
    if (!lost) throw new Error('There are three pools.');
    const held = await first.connect();
    await expect(query(lost, SHOW_SCHEMA)).rejects.toThrow('ECONNREFUSED');
    expect(await query(onNode, SHOW_SCHEMA)).toMatchObject([{ schema: 'milepost_lane_1' }]);
    expect(connectionUsage([first, onNode, lost])).toEqual({ used: 1, idle: 1, waiting: 0, maximum: 2 });
    held.release();
  });

  it('go to the server that currently has the lane', async () => {
    const [former, next] = [
      untilTestEnds(await startProxyTo(database.url)),
      untilTestEnds(await startProxyTo(database.url)),
    ];
    let owner = former;
    let doubts = 0;
    const node = {
      usable: async () => `127.0.0.1:${owner.port}`,
      forget: () => {
        doubts += 1;
      },
    };
    const [, lane] = open(2, 5_000, [newLane(database.url, 0), { ...newLane(database.url, 1), host: node }]);
    await query(lane, READ_OWN);
    owner = next;
    await former.cut();
    expect(await query(lane, READ_OWN)).toEqual([{ name: 'lane 1' }]);
    expect(doubts).toBe(0);
    await next.cut();
    await expect(query(lane, READ_OWN)).rejects.toThrow();
    expect(doubts).toBeGreaterThan(0);
  });
});
