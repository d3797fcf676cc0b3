import { inTransaction, type Pool } from '@milepost/postgres';
import { byPosition, createView, type Projection } from '@milepost/projections/engine';
import {
  cancelReplay,
  dropReplay,
  findRunnable,
  pauseReplay,
  promoteReplay,
  resumeReplay,
  rollBack,
  runReplay,
  startReplay,
  throttleReplay,
} from '@milepost/replay';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { advance } from '../../packages/core/projections/engine/advance.ts';
import {
  claimReplay,
  haltReplay,
  holdReplay,
  isTaken,
  releaseLease,
  renewLease,
} from '../../packages/core/replay/lease.ts';
import { findReplay, type Replay } from '../../packages/core/replay/replay.ts';
import { SIMULATED } from '../simulation/replay/projection.ts';
import { ReplayStore } from '../simulation/store/replay-store.ts';
import { inSimulation } from '../support/in-simulation.ts';
import { LaneWorld } from '../support/lane-world.ts';

/** The log's position at the start, which the first generation shows. */
const FIRST_POSITION = 3;
const LEASE_MILLISECONDS = 5_000;
const RATES = { current: null, slowest: null, fastest: null, throttledBy: null };

/** `back` selects an earlier replay or an earlier claim, counted from the last one. */
const back = fc.constantFrom(0, 0, 0, 1);
const operation = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constantFrom('run' as const, 'grow' as const, 'expire' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('start' as const), promote: fc.boolean(), accepts: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('promote' as const), back, accepts: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'pause' as const,
        'resume' as const,
        'cancel' as const,
        'drop' as const,
        'throttle' as const,
      ),
      back,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'claim' as const,
        'renew' as const,
        'release' as const,
        'taken' as const,
        'hold' as const,
        'hold' as const,
        'halt' as const,
      ),
      back,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('roll back' as const, 'damage' as const, 'break' as const) }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

/** A lane, either in PostgreSQL or in the simulation. */
interface Lane {
  pool: Pool;
  projections: readonly Projection[];
  /** Adds a position to the log. */
  grow: () => Promise<void>;
  /** Lets all leases expire. */
  expire: () => Promise<void>;
  /** If the live table has no row that is not derived from the log, adds one. */
  damage: () => Promise<void>;
  /** Keeps a lease in PostgreSQL, whose clock keeps running, until `expire` is called. */
  keepLeases: () => Promise<void>;
  read: () => Promise<unknown>;
}

/** Returns the projection with a fill that fails while `isBroken` returns true. */
function breakable(projection: Projection, isBroken: () => boolean): Projection {
  const stages = projection.fill.stages.map((stage) => ({
    ...stage,
    run: async (...values: Parameters<typeof stage.run>) => {
      if (isBroken()) throw new Error('The fill is broken.');
      await stage.run(...values);
    },
  }));
  return { ...projection, fill: { ...projection.fill, stages } };
}

/** Runs operations. Returns the outcome of each operation and the tables after it. */
async function play(lane: Lane, operations: readonly Operation[]): Promise<unknown[]> {
  const { pool } = lane;
  const claims: { id: number; epoch: number }[] = [];
  let lastId = 0;
  let isBroken = false;
  const projections = lane.projections.map((projection) => breakable(projection, () => isBroken));
  const start = async (started: Promise<{ id: number; created: boolean }>) => {
    const result = await started;
    lastId = Math.max(lastId, result.id);
    return result;
  };
  const onClaim = async (back: number, work: (claim: { id: number; epoch: number }) => Promise<unknown>) => {
    const claim = claims.at(-1 - back);
    return claim ? await work(claim) : null;
  };
  const onReplay = async (back: number, work: (replay: Replay, epoch: number) => Promise<unknown>) =>
    await onClaim(back, async ({ id, epoch }) => {
      const replay = await findReplay(pool, id);
      return replay && (await work(replay, epoch));
    });
  const run = async (next: Operation): Promise<unknown> => {
    switch (next.kind) {
      case 'start': {
        const { promote, accepts: acceptDifferences } = next;
        const request = {
          projection: 'all',
          promote,
          acceptDifferences,
          throttle: 'off',
          requestedBy: 'test',
        } as const;
        return await start(startReplay(pool, projections, request));
      }
      case 'roll back':
        return await start(rollBack(pool, projections, { projection: 'all', requestedBy: 'test' }));
      case 'run': {
        const ids = await findRunnable(pool);
        const phases: string[] = [];
        const options = {
          signal: new AbortController().signal,
          // With a single worker, it is always the same chunk that fails first.
          workers: 1,
          onPhase: ({ phase }: { phase: string }) => phases.push(phase),
        };
        for (const id of ids) await runReplay(pool, projections, id, options);
        return { ids, phases };
      }
      case 'grow':
        await lane.grow();
        return await advance(pool, projections, 10);
      case 'pause':
        return await pauseReplay(pool, lastId - next.back);
      case 'resume':
        return await resumeReplay(pool, lastId - next.back);
      case 'cancel':
        return await cancelReplay(pool, lastId - next.back);
      case 'drop':
        return await dropReplay(pool, lastId - next.back);
      case 'promote':
        return await promoteReplay(pool, lastId - next.back, { acceptDifferences: next.accepts });
      case 'throttle':
        return await throttleReplay(pool, lastId - next.back, 900_000_000);
      case 'claim': {
        const id = lastId - next.back;
        const epoch = await claimReplay(pool, id);
        if (epoch !== null) claims.push({ id, epoch });
        return epoch;
      }
      case 'renew':
        return await onClaim(next.back, ({ id, epoch }) => renewLease(pool, id, epoch, RATES));
      case 'release':
        return await onClaim(next.back, ({ id, epoch }) => releaseLease(pool, id, epoch));
      case 'taken':
        return await onClaim(next.back, ({ id, epoch }) => isTaken(pool, id, epoch));
      case 'hold':
        return await onReplay(next.back, (replay, epoch) =>
          inTransaction(pool, (transaction) => holdReplay(transaction, replay, epoch)),
        );
      case 'halt':
        return await onReplay(next.back, (replay, epoch) => haltReplay(pool, replay, epoch, 'A fault.'));
      case 'expire':
        return await lane.expire();
      case 'damage':
        return await lane.damage();
      case 'break':
        isBroken = !isBroken;
        return isBroken;
    }
  };
  const outcomes: unknown[] = [];
  for (const next of operations) {
    const outcome = await run(next).catch((error: unknown) => (error instanceof Error ? error.message : error));
    await lane.keepLeases();
    outcomes.push({ next, outcome, tables: await lane.read() });
  }
  return outcomes;
}

/** Returns a verification without its time and without the samples, whose texts the simulation does not compute. */
function comparable(verification: unknown): unknown {
  const seen = JSON.stringify(verification, (key, value) =>
    ['compared_at', 'samples', 'differing_days'].includes(key) ? undefined : value,
  );
  return JSON.parse(seen);
}

async function playSimulated(operations: readonly Operation[]): Promise<unknown[]> {
  let jump = 0;
  const open = (now: () => number) => new ReplayStore(() => now() + jump);
  return await inSimulation(open, async (pool, { tables }) => {
    const live = () => [...tables.generations.committed.values()].find((generation) => generation.live);
    tables.head.load('head', { position: FIRST_POSITION });
    for (const { name, version } of SIMULATED) {
      const table = `${name}_1`;
      const row = { projection: name, generation: 1, version, live: true, cutoff: null, isDropped: false };
      tables.generations.load(`${name}/1`, { ...row, checkpoint: FIRST_POSITION });
      tables.relations.load(table, { name: table });
      tables.views.load(name, { table });
      for (let position = 1; position <= FIRST_POSITION; position += 1)
        tables.rows.load(`${table}/${position}`, { table, position });
    }
    const lane: Lane = {
      pool,
      projections: SIMULATED,
      async grow() {
        tables.head.load('head', { position: (tables.head.committed.get('head')?.position ?? 0) + 1 });
      },
      async expire() {
        jump += LEASE_MILLISECONDS + 1;
      },
      async damage() {
        const table = `${live()?.projection}_${live()?.generation}`;
        tables.rows.load(`${table}/0`, { table, position: 0 });
      },
      async keepLeases() {},
      async read() {
        return {
          replays: [...tables.replays.committed.values()].map(
            ({ leaseUntil, created_at: _created, finished_at, cutoff: _cutoff, verification, ...replay }) => ({
              ...replay,
              isLeased: leaseUntil !== null,
              isFinished: finished_at !== null,
              verification: comparable(verification),
            }),
          ),
          members: [...tables.members.committed.values()],
          generations: [...tables.generations.committed.values()].map(({ cutoff: _cutoff, ...row }) => row),
          chunks: [...tables.chunks.committed.values()]
            .map(({ stage, chunk, done, after, through }) => ({ stage, chunk, done, after, through }))
            .sort((one, other) => one.chunk - other.chunk),
          relations: [...tables.relations.committed.keys()].sort(),
          rows: [...tables.rows.committed.keys()].sort(),
          views: [...tables.views.committed].map(([view, { table }]) => `${view}: ${table}`),
        };
      },
    };
    return await play(lane, operations);
  });
}

/** The simulated projections, with statements that PostgreSQL can run. */
const PROJECTIONS: readonly Projection[] = SIMULATED.map((simulated) => {
  const insert = (table: string, after: number, through: number) =>
    `INSERT INTO ${table} SELECT generate_series(${after + 1}, ${through})`;
  return {
    ...simulated,
    createTable: (table) => `CREATE TABLE ${table} (position bigint CONSTRAINT ${table}_pkey PRIMARY KEY)`,
    createIndexes: (table) => `CREATE INDEX ON ${table} (position)`,
    apply: async (transaction, { after, through }, table) => {
      await transaction.run(insert(table, after, through));
    },
    fill: {
      ...simulated.fill,
      stages: simulated.fill.stages.map((stage) => ({
        ...stage,
        ...byPosition(2, async (transaction, { after, through }, { table }) => {
          await transaction.run(insert(table, after, through));
        }),
      })),
    },
    rows: (table) => `SELECT NULL::date AS day, position::text AS key, position::text AS value FROM ${table}`,
  };
});

/** Prepares a lane without replays and runs the operations in it. */
async function playReal(pool: Pool, operations: readonly Operation[]): Promise<unknown[]> {
  const rowsOf = async (text: string) => (await pool.query(text)).rows;
  const tablesOf = async () =>
    (
      await rowsOf(`SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
      AND relname ~ '^(${PROJECTIONS.map(({ name }) => name).join('|')})_[0-9]+$' ORDER BY relname COLLATE "C"`)
    ).map(({ name }): string => name);
  await pool.query('TRUNCATE replay, replay_member, replay_chunk RESTART IDENTITY');
  for (const { name } of PROJECTIONS) await pool.query(`DROP VIEW IF EXISTS ${name}`);
  for (const table of await tablesOf()) await pool.query(`DROP TABLE ${table}`);
  await pool.query('UPDATE log_head SET position = $1', [FIRST_POSITION]);
  for (const projection of PROJECTIONS) {
    const { name, version } = projection;
    const table = `${name}_1`;
    await pool.query('DELETE FROM generation WHERE projection = $1', [name]);
    await pool.query(
      'INSERT INTO generation (projection, generation, version, live, checkpoint) VALUES ($1, 1, $2, true, $3)',
      [name, version, FIRST_POSITION],
    );
    await pool.query(projection.createTable(table));
    await pool.query(createView(projection, table));
    await inTransaction(pool, async (transaction) => {
      await projection.apply(transaction, { after: 0, through: FIRST_POSITION }, table);
    });
  }
  const lane: Lane = {
    pool,
    projections: PROJECTIONS,
    async grow() {
      await pool.query('UPDATE log_head SET position = position + 1');
    },
    async expire() {
      await pool.query(
        `UPDATE replay SET lease_expires_at = now() - interval '1 s' WHERE lease_expires_at IS NOT NULL`,
      );
    },
    async damage() {
      for (const { name } of PROJECTIONS) {
        const [{ generation }] = await rowsOf(
          `SELECT generation FROM generation WHERE live AND projection = '${name}'`,
        );
        await pool.query(`INSERT INTO ${name}_${generation} VALUES (0) ON CONFLICT DO NOTHING`);
      }
    },
    async keepLeases() {
      await pool.query(`UPDATE replay SET lease_expires_at = now() + interval '1 hour' WHERE lease_expires_at > now()`);
    },
    async read() {
      const tables = await tablesOf();
      const rows = [];
      for (const table of tables)
        rows.push(...(await rowsOf(`SELECT position FROM ${table}`)).map(({ position }) => `${table}/${position}`));
      const replays =
        await rowsOf(`SELECT replay_id AS id, kind, projection, phase, halted, error, target::integer, promote, accept_differences,
        throttle, requested_by, epoch::integer, lease_expires_at IS NOT NULL AS "isLeased", finished_at IS NOT NULL AS "isFinished",
        verification FROM replay ORDER BY replay_id`);
      return {
        replays: replays.map(({ verification, ...replay }) => ({ ...replay, verification: comparable(verification) })),
        members: await rowsOf('SELECT * FROM replay_member ORDER BY replay_id'),
        generations:
          await rowsOf(`SELECT projection, generation, version, live, checkpoint, dropped_at IS NOT NULL AS "isDropped"
          FROM generation WHERE projection IN (${PROJECTIONS.map(({ name }) => `'${name}'`)}) ORDER BY generation`),
        chunks: await rowsOf(
          'SELECT stage, chunk, done, after_key AS after, through_key AS through FROM replay_chunk ORDER BY chunk',
        ),
        relations: tables,
        rows: rows.sort(),
        views: await rowsOf(`SELECT view_name, table_name FROM information_schema.view_table_usage
          WHERE view_schema = current_schema() AND view_name IN (${PROJECTIONS.map(({ name }) => `'${name}'`)})`).then(
          (found) => found.map(({ view_name, table_name }) => `${view_name}: ${table_name}`),
        ),
      };
    },
  };
  return await play(lane, operations);
}

it('the simulated replays behave as PostgreSQL for random requests, claims, runs, failures and damaged rows', async () => {
  const world = await LaneWorld.create(1, 1);
  onTestFinished(async () => await world.close());
  const property = fc.asyncProperty(fc.array(operation, { minLength: 40, maxLength: 80 }), async (operations) => {
    const simulated = await playSimulated(operations);
    expect(await playReal(world.owner(0), operations)).toEqual(simulated);
  });
  await fc.assert(property, { numRuns: 20 });
});
