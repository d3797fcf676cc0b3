import { append, claimSource } from '@milepost/event-log';
import { ROLES } from '@milepost/postgres';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { fillLog } from '../../support/filled-log.ts';
import { incoming, openPipeline, openPool, type Pipeline } from '../../support/pipeline.ts';
import { explainPrepared, rowsRead, statementsOf, withoutStatistics } from '../../support/query-plan.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const TRIPS = 30_000;
/** Stored events with which the log begins: so few that to read them all costs next to nothing. */
const FIRST = 20;
const BATCH = 40;
/** Rows that a statement may read for a record: itself, what is stored of it, and the index's entry. */
const ROWS_A_RECORD = 3;

describeWithPostgres('an append to a log without statistics', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await openPipeline([]);
    await pipeline.owner.query(`${withoutStatistics(['log.stored_event', 'log.trip_body'])}${fillLog(FIRST)}`);
    // From the first erasure on, each append asks for those that its records are about.
    await pipeline.owner.query('UPDATE log.head SET has_erasures = true');
  });
  afterAll(async () => await pipeline?.close());

  it('costs what the batch brings, not what the log holds, by plans made while it held next to nothing', async () => {
    const pool = openPool(pipeline.url, ROLES.ingest, 1);
    try {
      // As a connection that has run a statement six times: from then on it keeps the plan.
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
      const spy = vi.spyOn(client, 'query');
      client.release();
      await bring(2, BATCH);
      const asked = spy.mock.calls.flatMap(([query]) => statementsOf(query));
      spy.mockRestore();
      expect(asked.map(({ name }) => name)).toEqual(expect.arrayContaining(['find-revisions', 'find-erased']));
      for (const { name, values } of asked) {
        await pool.query('BEGIN');
        const plan = await explainPrepared(pool, name, values);
        await pool.query('ROLLBACK');
        expect(rowsRead(plan), name).toBeLessThanOrEqual(BATCH * ROWS_A_RECORD);
      }
    } finally {
      await pool.end();
    }
  });
});
