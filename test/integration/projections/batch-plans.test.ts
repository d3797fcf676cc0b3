import { Transaction } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import type { PositionRange, Projection } from '@milepost/projections/engine';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { advance } from '../../../packages/projections/engine/advance.ts';
import { fillLog } from '../../support/filled-log.ts';
import { openPipeline, type Pipeline } from '../../support/pipeline.ts';
import { explainPrepared, rowsRead, statementsOf, withoutStatistics } from '../../support/query-plan.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const TRIPS = 30_000;
const BATCH = 50;
/** Trips of the batch with which the tables begin. */
const FIRST = 20;
/** Rows that a statement may read for a trip of the batch: it, its body, its driver, the day's trips and the week's days, some twice. */
const ROWS_A_TRIP = 60;

/** Tables as they are a minute after the first start: full, and never looked at by the server. */
const NO_STATISTICS = withoutStatistics([
  ...['log.stored_event', 'log.trip_body'],
  ...PROJECTIONS.map(({ name }) => `read.${name}_1`),
]);

describeWithPostgres('a batch behind a log without statistics', () => {
  let pipeline: Pipeline;
  let client: PoolClient;

  async function apply({ name, apply: fold }: Projection, range: PositionRange): Promise<void> {
    await fold(new Transaction(client), range, `read.${name}_1`);
  }

  beforeAll(async () => {
    pipeline = await openPipeline();
    await pipeline.owner.query(`${NO_STATISTICS}${fillLog(FIRST)}`);
    client = await pipeline.projector.connect();
    await client.query('SET plan_cache_mode = force_generic_plan');
    // A projector's first plans are made while there is next to nothing; it throws them away as the log doubles.
    await client.query('BEGIN');
    for (const projection of PROJECTIONS) await apply(projection, { after: 0, through: FIRST });
    await client.query('ROLLBACK');
    await pipeline.owner.query(fillLog(TRIPS - BATCH));
    await advance(pipeline.projector, PROJECTIONS, TRIPS);
    await pipeline.owner.query(fillLog(TRIPS));
    await client.query('DISCARD PLANS');
  });
  afterAll(async () => {
    client?.release();
    await pipeline?.close();
  });

  it.each(PROJECTIONS)('costs $name what the batch touches, not what the log holds', async (projection) => {
    const spy = vi.spyOn(client, 'query');
    await client.query('BEGIN');
    await apply(projection, { after: TRIPS - BATCH, through: TRIPS });
    const statements = spy.mock.calls.flatMap(([query]) => statementsOf(query));
    spy.mockRestore();
    await client.query('ROLLBACK');
    expect(statements.length).toBeGreaterThan(0);
    for (const { name, values } of statements) {
      await client.query('BEGIN');
      const plan = await explainPrepared(client, name, values);
      await client.query('ROLLBACK');
      expect(rowsRead(plan), name).toBeLessThanOrEqual(BATCH * ROWS_A_TRIP);
    }
  });
});
