import { append, claimSource, readHeadPosition, readSourceCounts, retryDeadLetters } from '@milepost/event-log';
import { ROLES } from '@milepost/postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deliver, incoming, openPipeline, openPool, type Pipeline } from '../../support/pipeline.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('duplicates', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await openPipeline([]);
  });
  afterAll(async () => await pipeline.close());

  async function duplicates(sourceId: number) {
    const { rows } = await pipeline.owner.query(
      `SELECT source_offset, position, received_at > now() - interval '1 minute' AS is_recent
       FROM duplicate_record WHERE source_id = $1 ORDER BY source_offset, position`,
      [sourceId],
    );
    return rows;
  }

  it('each leave a row with their offset and the position of the content, even within a batch', async () => {
    const trip = tripProcessed({ fleet_id: 'rows' });
    const profile = driverProfile({ fleet_id: 'rows' });
    const { headPosition } = await deliver(pipeline.ingest, [trip, trip, '{', profile], 'rows');
    const { claim, counts } = await deliver(pipeline.ingest, [profile, tripProcessed(), trip], 'rows');
    expect(counts).toEqual({ read: 3, stored: 1, duplicates: 2, dead_letters: 0 });
    expect(await duplicates(claim.sourceId)).toEqual([
      { source_offset: 1, position: headPosition - 1, is_recent: true },
      { source_offset: 4, position: headPosition, is_recent: true },
      { source_offset: 6, position: headPosition - 1, is_recent: true },
    ]);
    expect(await readSourceCounts(pipeline.ingest, claim.sourceId)).toMatchObject({ read: 7, duplicates: 3 });
  });

  it('need no statement in a batch without duplicates, and one statement in a batch with many', async () => {
    // With a single connection, pg_prepared_statements lists the statements that the deliveries ran.
    const ingest = openPool(pipeline.url, ROLES.ingest, 1);
    const runs = async () => {
      const { rows } = await ingest.query<{ runs: number }>(
        `SELECT generic_plans + custom_plans AS runs FROM pg_prepared_statements WHERE name = 'insert-duplicates'`,
      );
      return rows;
    };
    const trips = Array.from({ length: 50 }, (_, index) => tripProcessed({ source_trip_id: `t-${index}` }));
    await deliver(ingest, trips, 'statements');
    expect(await runs()).toEqual([]);
    const { claim } = await deliver(ingest, trips, 'statements');
    expect(await runs()).toEqual([{ runs: 1 }]);
    expect(await duplicates(claim.sourceId)).toHaveLength(50);
    await ingest.end();
  });

  it('are not stored when another process has claimed the source of their batch', async () => {
    const trip = tripProcessed({ fleet_id: 'fenced' });
    const { claim } = await deliver(pipeline.ingest, [trip], 'fenced');
    await claimSource(pipeline.ingest, 'fenced', 0);
    await expect(append(pipeline.ingest, claim, [incoming(1, trip)], 2)).rejects.toThrow('claimed by another process');
    expect(await duplicates(claim.sourceId)).toEqual([]);
  });

  it('are recorded when a retried dead letter is a duplicate', async () => {
    const trip = tripProcessed({ fleet_id: 'late' });
    const { claim } = await deliver(pipeline.ingest, ['{"kind":', trip], 'late');
    // The bytes become those of a record that an older release refused but this one accepts.
    await pipeline.owner.query('UPDATE dead_letter SET raw = $2 WHERE source_id = $1', [
      claim.sourceId,
      Buffer.from(JSON.stringify(trip)),
    ]);
    const { rows } = await pipeline.owner.query<{ id: number }>(
      'SELECT dead_letter_id AS id FROM dead_letter WHERE source_id = $1',
      [claim.sourceId],
    );
    const [result] = await retryDeadLetters(
      pipeline.ingest,
      rows.map(({ id }) => id),
    );
    expect(result).toMatchObject({ outcome: 'duplicate' });
    expect(await duplicates(claim.sourceId)).toMatchObject([
      { source_offset: 0, position: await readHeadPosition(pipeline.ingest) },
    ]);
    expect(await readSourceCounts(pipeline.ingest, claim.sourceId)).toEqual({
      read: 2,
      stored: 1,
      duplicates: 1,
      dead_letters: 0,
    });
  });

  it.each([
    ['milepost_ingest', 'UPDATE duplicate_record SET position = 1'],
    ['milepost_ingest', 'DELETE FROM duplicate_record'],
    ['milepost_operator', 'INSERT INTO duplicate_record VALUES (now(), 1, 1, 1)'],
    ['milepost_projector', 'DELETE FROM duplicate_record'],
    ['milepost_api', 'SELECT FROM duplicate_record'],
  ] as const)('are protected from %s, which may not run: %s', async (role, sql) => {
    const pool = openPool(pipeline.url, role, 1);
    await expect(pool.query(sql)).rejects.toThrow(/permission denied/);
    await pool.end();
  });
});
