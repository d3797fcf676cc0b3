import { FleetFencedError, SourceFencedError, setFence } from '@milepost/event-log/fences';
import { claimSource, type SourceClaim } from '@milepost/event-log/sources';
import { IngestMetrics } from '@milepost/metrics/ingest';
import { ROLES } from '@milepost/postgres';
import { expect, it } from 'vitest';
import { JointAppender } from '../../../apps/ingest/kafka/joint-appender.ts';
import { endLockWaiter, lockWaiters, whileLocked } from '../../support/locks.ts';
import { incoming, openPool } from '../../support/pipeline.ts';
import { describeWithLog } from '../../support/pipeline-suites.ts';
import { tripProcessed } from '../../support/records.ts';
import { valuesOf } from '../../support/tables.ts';

describeWithLog('batches from concurrent partitions', (log) => {
  const batchOf = (claim: SourceClaim, records: number) => ({
    claim,
    records: Array.from({ length: records }, (_, offset) =>
      incoming(offset, tripProcessed({ fleet_id: claim.topic, source_trip_id: `${claim.partition}-${offset}` })),
    ),
    nextOffset: records,
  });

  type Batch = ReturnType<typeof batchOf>;

  /** Claims partitions of a topic. Returns a batch with this many records for each. */
  const batchesOf = async (topic: string, ...sizes: readonly number[]): Promise<Batch[]> =>
    await Promise.all(
      sizes.map(async (records, partition) => batchOf(await claimSource(log.ingest, topic, partition), records)),
    );

  /** Returns a list for each transaction, in order: the partition of each trip that it stored from the topic. */
  async function transactions(topic: string): Promise<number[][]> {
    const sql = `SELECT array_agg(partition ORDER BY position)
       FROM stored_event JOIN log_source USING (source_id) WHERE fleet_id = $1
       GROUP BY stored_event.xmin::text ORDER BY min(position)`;
    return await valuesOf(log.owner, sql, [topic]);
  }

  const waiting = () => lockWaiters(log.owner, 1);

  /** Runs `work` while the log is locked. */
  const whileLogLocked = <Result>(until: () => Promise<unknown>, work: () => Promise<Result>) =>
    whileLocked(log.owner, 'SELECT FROM log_head FOR UPDATE', until, work);

  /**
   * Appends all batches concurrently while the log is locked, so that all but the first arrive during a transaction.
   */
  const askedAtOnce = (appender: JointAppender, batches: readonly Batch[], until: () => Promise<unknown> = waiting) =>
    whileLogLocked(until, () => Promise.allSettled(batches.map((batch) => appender.append(batch))));

  it('share the next transaction, except that the first batch, which arrives alone, does not wait', async () => {
    const batches = await batchesOf('joint', 2, 2, 2, 2);
    const outcomes = await askedAtOnce(new JointAppender(log.ingest), batches);
    expect(outcomes).toEqual(
      batches.map(({ claim }) => ({
        status: 'fulfilled',
        value: { counts: { read: 2, stored: 2, duplicates: 0, dead_letters: 0 }, claim: { ...claim, nextOffset: 2 } },
      })),
    );
    expect(await transactions('joint')).toEqual([
      [0, 0],
      [1, 1, 2, 2, 3, 3],
    ]);
  });

  it('count the wait for the lock in only one step', async () => {
    const batch = batchOf(await claimSource(log.ingest, 'measured', 0), 1);
    const metrics = new IngestMetrics();
    const appender = new JointAppender(log.ingest, metrics);
    let milliseconds = 0;
    await whileLogLocked(
      async () => {
        await waiting();
        await log.owner.query('SELECT pg_sleep(0.5)');
      },
      async () => {
        const started = performance.now();
        await appender.append(batch);
        milliseconds = performance.now() - started;
      },
    );
    const text = await metrics.registry.metrics();
    const secondsOf = (step: string) =>
      Number(new RegExp(`_seconds_sum\\{step="${step}"\\} (\\S+)`).exec(text)?.[1] ?? Number.NaN);
    expect(secondsOf('lock')).toBeGreaterThan(0.4);
    expect(secondsOf('store')).toBeGreaterThan(0);
    expect(secondsOf('lock') + secondsOf('store')).toBeLessThanOrEqual(milliseconds / 1_000);
  });

  it('share a transaction up to its limit, and a large batch has its own transaction', async () => {
    await askedAtOnce(new JointAppender(log.ingest), await batchesOf('large', 1, 1_001, 600, 400, 1));
    const partitions = (await transactions('large')).map((stored) => [...new Set(stored)]);
    expect(partitions).toEqual([[0], [1], [2, 3], [4]]);
  });

  it.each([
    { fleet: 'claimed', cause: 'another process has claimed its partition', error: SourceFencedError },
    { fleet: 'staying', cause: 'its fleet is moving to another lane', error: FleetFencedError },
    { fleet: 'valid', cause: 'the database does not accept a value', error: Error },
  ])('are stored, except the batch that fails because $cause', async ({ fleet, error }) => {
    const batches = await batchesOf(fleet, 1, 1, 1, 1);
    const [, , failing] = batches;
    if (!failing) throw new Error('A source was not claimed.');
    if (error === SourceFencedError) await claimSource(log.ingest, fleet, 2);
    else if (error === FleetFencedError) {
      failing.records = [incoming(0, tripProcessed({ fleet_id: 'moving' }))];
      await setFence(log.ingest, { fleetId: 'moving', stores: false, passes: false, epoch: 1 });
    } else failing.nextOffset = 0.5;
    const outcomes = await askedAtOnce(new JointAppender(log.ingest), batches);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[2]).toMatchObject({ reason: expect.any(error) });
    expect((await transactions(fleet)).flat()).toEqual([0, 1, 3]);
    expect(await transactions('moving')).toEqual([]);
  });

  it('fail when the connection of their transaction breaks, while later batches succeed', async () => {
    const appender = new JointAppender(log.ingest);
    const batches = await batchesOf('away', 1, 1, 1);
    const outcomes = await askedAtOnce(appender, batches, () => endLockWaiter(log.owner));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    const [first] = batches;
    if (!first) throw new Error('There is no batch.');
    await appender.append(first);
    expect((await transactions('away')).flat()).toEqual([1, 2, 0]);
  });

  it('fail together when no transaction can begin', async () => {
    const [alone, second, third, later] = await batchesOf('together', 1, 1, 1, 1);
    if (!alone || !second || !third || !later) throw new Error('A source was not claimed.');
    const pool = openPool(log.url, ROLES.ingest);
    const appender = new JointAppender(pool);
    const outcomes: string[] = [];
    const append = async (name: string, batch: Batch) =>
      await appender.append(batch).then(
        () => outcomes.push(`${name} is stored`),
        () => outcomes.push(`${name} fails`),
      );
    await whileLogLocked(
      async () => {
        await waiting();
        // The first transaction keeps its connection until it ends.
        void pool.end();
      },
      async () => {
        const stored = append('alone', alone);
        const failed = append('second', second);
        void append('third', third);
        await Promise.all([stored, failed]);
      },
    );
    await append('later', later);
    expect(outcomes).toEqual(['alone is stored', 'second fails', 'third fails', 'later fails']);
  });
});
