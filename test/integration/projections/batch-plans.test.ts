import { Transaction } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import type { PositionRange, Projection } from '@milepost/projections/engine';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { advance } from '../../../packages/core/projections/engine/advance.ts';
import { fillLog } from '../../support/filled-log.ts';
import { perSuite } from '../../support/fixtures.ts';
import { openPipeline } from '../../support/pipeline.ts';
import { explainPrepared, rowsRead, statementsDuring, withoutStatistics } from '../../support/query-plan.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const TRIPS = 30_000;
const BATCH = 50;
/** The tables start with a batch of this many trips. */
const FIRST = 20;
/**
 * How many rows a statement may read per trip: the trip, its body, its driver, the day's trips and the week's days,
 * some of them twice.
 */
const ROWS_A_TRIP = 60;

/** The tables as they are a minute after the first start: filled, but still without statistics. */
const NO_STATISTICS = withoutStatistics([
  ...['stored_event', 'trip_body'],
  ...PROJECTIONS.map(({ name }) => `${name}_1`),
]);

describeWithPostgres('a batch in a log without statistics', () => {
  const pipeline = perSuite(openPipeline);
  let client: PoolClient;

  async function apply({ name, apply: fold }: Projection, range: PositionRange): Promise<void> {
    await fold(new Transaction(client), range, `${name}_1`);
  }

  beforeAll(async () => {
    await pipeline.owner.query(`${NO_STATISTICS}${fillLog(FIRST)}`);
    client = await pipeline.projector.connect();
    await client.query('SET plan_cache_mode = force_generic_plan');
    // A projector makes its first plans for an almost empty log, and discards them each time the log doubles.
    await client.query('BEGIN');
    for (const projection of PROJECTIONS) await apply(projection, { after: 0, through: FIRST });
    await client.query('ROLLBACK');
    await pipeline.owner.query(fillLog(TRIPS - BATCH));
    await advance(pipeline.projector, PROJECTIONS, TRIPS);
    await pipeline.owner.query(fillLog(TRIPS));
    await client.query('DISCARD PLANS');
  });
  afterAll(async () => client?.release());

  it.each(PROJECTIONS)('reads rows for $name in proportion to the batch, not the log', async (projection) => {
    await client.query('BEGIN');
    const range = { after: TRIPS - BATCH, through: TRIPS };
    const statements = await statementsDuring(client, async () => await apply(projection, range));
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
