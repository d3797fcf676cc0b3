import { claimSource } from '@milepost/event-log';
import { ROLES } from '@milepost/postgres';
import { beforeAll, expect, it } from 'vitest';
import { fillLog } from '../../support/filled-log.ts';
import { perSuite, untilTestEnds } from '../../support/fixtures.ts';
import { append, incoming, openPipeline, openPool } from '../../support/pipeline.ts';
import { explainPrepared, rowsRead, statementsDuring, withoutStatistics } from '../../support/query-plan.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const TRIPS = 30_000;
/** The log starts with this many stored events: so few that scanning all of them costs almost nothing. */
const FIRST = 20;
const BATCH = 40;
/** How many rows a statement may read per record: the record, the stored data about it, and the index entry. */
const ROWS_A_RECORD = 3;

describeWithPostgres('an append to a log without statistics', () => {
  const pipeline = perSuite(() => openPipeline([]));
  beforeAll(async () => {
    await pipeline.owner.query(`${withoutStatistics(['stored_event', 'trip_body'])}${fillLog(FIRST)}`);
    // After the first erasure, each append looks for erasures that affect its records.
    await pipeline.owner.query('UPDATE log_head SET has_erasures = true');
  });

  it('reads rows in proportion to the batch, not the log, even with plans for an almost empty log', async () => {
    const pool = untilTestEnds(openPool(pipeline.url, ROLES.ingest, 1));
    // A connection that has run a statement six times keeps the generic plan. With this setting, a connection uses the
    // generic plan immediately.
    await pool.query('SET plan_cache_mode = force_generic_plan');
    let claim = await claimSource(pool, 'plans', 0);
    const bring = async (from: number, records: number) => {
      const batch = Array.from({ length: records }, (_, index) => {
        const source_trip_id = `brought-${from + index}`;
        const record =
          index % 2 === 0 ? tripProcessed({ source_trip_id }) : driverProfile({ driver_id: source_trip_id });
        return incoming(claim.nextOffset + index, record);
      });
      claim = (await append(pool, claim, batch, claim.nextOffset + records)).claim;
    };
    await bring(0, 2);
    await pipeline.owner.query(fillLog(TRIPS));
    const client = await pool.connect();
    client.release();
    const asked = await statementsDuring(client, async () => await bring(2, BATCH));
    expect(asked.map(({ name }) => name)).toEqual(expect.arrayContaining(['find-revisions', 'find-erased']));
    for (const { name, values } of asked) {
      await pool.query('BEGIN');
      const plan = await explainPrepared(pool, name, values);
      await pool.query('ROLLBACK');
      expect(rowsRead(plan), name).toBeLessThanOrEqual(BATCH * ROWS_A_RECORD);
    }
  });
});
