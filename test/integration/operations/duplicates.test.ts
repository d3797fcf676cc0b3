import { readSourceCounts } from '@milepost/event-log';
import { retryDeadLetters } from '@milepost/event-log/retry-dead-letters';
import { expect, it } from 'vitest';
import { perTest } from '../../support/fixtures.ts';
import { deliver, openPipeline } from '../../support/pipeline.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('duplicates', () => {
  const pipeline = perTest(() => openPipeline([]));

  async function duplicates(sourceId: number) {
    const { rows } = await pipeline.owner.query(
      `SELECT source_offset, position, received_at > now() - interval '1 minute' AS is_recent
       FROM duplicate_record WHERE source_id = $1 ORDER BY source_offset, position`,
      [sourceId],
    );
    return rows;
  }

  it('each leave a row with their offset and the position of the same content, even within a batch', async () => {
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

  it('are recorded if a retried dead letter is a duplicate', async () => {
    const trip = tripProcessed({ fleet_id: 'late' });
    const { claim } = await deliver(pipeline.ingest, ['{"kind":', trip], 'late');
    // The bytes are replaced with those of a valid record, as if an older release had refused that record.
    await pipeline.owner.query('UPDATE dead_letter SET raw = $1', [Buffer.from(JSON.stringify(trip))]);
    expect(await retryDeadLetters(pipeline.ingest, [1])).toMatchObject([{ outcome: 'duplicate' }]);
    expect(await duplicates(claim.sourceId)).toMatchObject([{ source_offset: 0, position: 1 }]);
    const counts = await readSourceCounts(pipeline.ingest, claim.sourceId);
    expect(counts).toEqual({ read: 2, stored: 1, duplicates: 1, dead_letters: 0 });
  });
});
