import { readHeadPosition } from '@milepost/event-log/head';
import { claimSource } from '@milepost/event-log/sources';
import { retryTransientErrors } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { expect, it } from 'vitest';
import { history } from '../support/faults/history.ts';
import { expectAllFolded } from '../support/faults/reference.ts';
import { perTest } from '../support/fixtures.ts';
import { lockWaiters } from '../support/locks.ts';
import { append, deliver, incomingAll, openPipeline } from '../support/pipeline.ts';
import { startProjector } from '../support/projector.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { firstValue } from '../support/tables.ts';

const RECORDS = history(1, 40);

describeWithPostgres('a transaction that PostgreSQL aborts', () => {
  const pipeline = perTest(openPipeline);

  it('stores its records once when ingest repeats it after a deadlock', async () => {
    const claim = await claimSource(pipeline.ingest, 'trips', 0);
    const batch = incomingAll(RECORDS);
    const opponent = await pipeline.owner.connect();
    // Only ingest's session checks for deadlocks, so it always becomes the victim.
    await opponent.query("SET deadlock_timeout = '1h'");
    await opponent.query('BEGIN');
    await opponent.query('SELECT FROM log_source FOR NO KEY UPDATE');
    const errors: unknown[] = [];
    const appending = retryTransientErrors(async () => await append(pipeline.ingest, claim, batch, batch.length), {
      signal: AbortSignal.timeout(60_000),
      onRetry: (error) => errors.push(error),
    });
    await lockWaiters(pipeline.owner, 1);
    // The append has locked the head of the log and is waiting for its source.
    await opponent.query('SELECT FROM log_head FOR UPDATE');
    await opponent.query('ROLLBACK');
    opponent.release();
    const { counts } = await appending;
    expect(errors).toMatchObject([{ code: '40P01' }]);
    expect(counts).toMatchObject({ read: RECORDS.length, duplicates: 0 });
    expect(await readHeadPosition(pipeline.owner)).toBe(counts.stored);
  });

  // The last code stands for a full disk.
  it.each(['40001', '40P01', '57014', '53100'])(
    'is repeated by the projector, which blames no stored event: code %s',
    async (code) => {
      const { owner } = pipeline;
      await deliver(pipeline.ingest, RECORDS);
      await owner.query(`
      CREATE SEQUENCE aborted; GRANT USAGE ON SEQUENCE aborted TO PUBLIC;
      CREATE FUNCTION abort_once() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF nextval('aborted') <= 3 THEN RAISE 'aborted by the test' USING ERRCODE = '${code}'; END IF;
          RETURN NULL;
        END $$;
      CREATE TRIGGER abort_once AFTER INSERT ON trips_1 FOR EACH STATEMENT EXECUTE FUNCTION abort_once()`);
      const { failures, stop } = startProjector(pipeline.projector, PROJECTIONS, { batchSize: 1_000 });
      const checkpoint = 'SELECT min(checkpoint) FROM generation WHERE live';
      await expect.poll(() => firstValue(owner, checkpoint)).toBe(await readHeadPosition(owner));
      await stop();
      expect(failures).toEqual([]);
      expect(await firstValue(owner, 'SELECT last_value FROM aborted')).toBeGreaterThan(3);
      await expectAllFolded(owner);
    },
  );
});
