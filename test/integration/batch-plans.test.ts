import { claimSource, type SourceClaim } from '@milepost/event-log/sources';
import { type Pool, ROLES, Transaction } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import type { PositionRange, Projection } from '@milepost/projections/engine';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { advance } from '../../packages/core/projections/engine/advance.ts';
import { fillLog } from '../support/filled-log.ts';
import { append, incoming, openPool } from '../support/pipeline.ts';
import { describeWithPipeline } from '../support/pipeline-suites.ts';
import { explainPrepared, rowsRead, statementsDuring, withoutStatistics } from '../support/query-plan.ts';
import { driverProfile, tripProcessed } from '../support/records.ts';

const TRIPS = 30_000;
const BATCH = 50;
/** The log starts with this many trips: so few that scanning all of them costs almost nothing. */
const FIRST = 20;
/** How many rows an append may read per record: the record, the stored data about it, and the index entry. */
const ROWS_A_RECORD = 3;
/**
 * How many rows a projection may read per trip: the trip, its body, its driver, the day's trips and the week's days,
 * some of them twice.
 */
const ROWS_A_TRIP = 60;

/** The tables as they are a minute after the first start: filled, but still without statistics. */
const NO_STATISTICS = withoutStatistics(['stored_event', 'trip_body', ...PROJECTIONS.map(({ name }) => `${name}_1`)]);

describeWithPipeline('a batch in a log without statistics', (pipeline) => {
  let ingest: Pool;
  let projector: PoolClient;
  let claim: SourceClaim;

  async function bring(from: number, records: number): Promise<void> {
    const batch = Array.from({ length: records }, (_, index) => {
      const id = `brought-${from + index}`;
      const record = index % 2 === 0 ? tripProcessed({ source_trip_id: id }) : driverProfile({ driver_id: id });
      return incoming(claim.nextOffset + index, record);
    });
    claim = (await append(ingest, claim, batch, claim.nextOffset + records)).claim;
  }

  async function apply({ name, apply: fold }: Projection, range: PositionRange): Promise<void> {
    await fold(new Transaction(projector), range, `${name}_1`);
  }

  /** Runs `work` on a connection. Returns how many rows each of its statements reads. */
  async function readsDuring(client: PoolClient, work: () => Promise<unknown>) {
    const reads: { name: string; rows: number }[] = [];
    for (const { name, values } of await statementsDuring(client, work)) {
      await client.query('BEGIN');
      reads.push({ name, rows: rowsRead(await explainPrepared(client, name, values)) });
      await client.query('ROLLBACK');
    }
    return reads;
  }

  beforeAll(async () => {
    await pipeline.owner.query(`${NO_STATISTICS}${fillLog(FIRST)}`);
    // After the first erasure, each append looks for erasures that affect its records.
    await pipeline.owner.query('UPDATE log_head SET has_erasures = true');
    ingest = openPool(pipeline.url, ROLES.ingest, 1);
    projector = await pipeline.projector.connect();
    // A connection that has run a statement six times keeps the generic plan. With this setting, a connection uses the
    // generic plan immediately.
    for (const each of [ingest, projector]) await each.query('SET plan_cache_mode = force_generic_plan');
    claim = await claimSource(ingest, 'plans', 0);
    await bring(0, 2);
    // A projector makes its first plans for an almost empty log, and discards them each time the log doubles.
    await projector.query('BEGIN');
    for (const projection of PROJECTIONS) await apply(projection, { after: 0, through: FIRST });
    await projector.query('ROLLBACK');
    await pipeline.owner.query(fillLog(TRIPS - BATCH));
    await advance(pipeline.projector, PROJECTIONS, TRIPS);
    await pipeline.owner.query(fillLog(TRIPS));
    await projector.query('DISCARD PLANS');
  });
  afterAll(async () => {
    projector?.release();
    await ingest?.end();
  });

  it('is appended by reading rows in proportion to the batch, even with plans for an almost empty log', async () => {
    const client = await ingest.connect();
    client.release();
    const reads = await readsDuring(client, async () => await bring(2, BATCH));
    expect(reads.map(({ name }) => name)).toEqual(expect.arrayContaining(['find-revisions', 'find-erased']));
    for (const { name, rows } of reads) expect(rows, name).toBeLessThanOrEqual(BATCH * ROWS_A_RECORD);
  });

  it.each(PROJECTIONS)('is applied to $name by reading rows in proportion to the batch', async (projection) => {
    const reads = await readsDuring(projector, async () => {
      await projector.query('BEGIN');
      await apply(projection, { after: TRIPS - BATCH, through: TRIPS });
      await projector.query('ROLLBACK');
    });
    expect(reads.length).toBeGreaterThan(0);
    for (const { name, rows } of reads) expect(rows, name).toBeLessThanOrEqual(BATCH * ROWS_A_TRIP);
  });
});
