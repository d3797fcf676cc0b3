import { type Pool, ROLES } from '@milepost/postgres';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { Source } from '../../../apps/ingest/kafka/source.ts';
import { untilTestEnds } from '../../support/fixtures.ts';
import { onlyLane } from '../../support/ingest-lanes.ts';
import { openPipeline, openPool } from '../../support/pipeline.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('a source that claims its partition', () => {
  it('waits for the claim of an earlier assignment, and does not claim once its own assignment has ended', async () => {
    const log = untilTestEnds(await openPipeline([]));
    const busy = untilTestEnds(openPool(log.url, ROLES.ingest, 1));
    const idle = untilTestEnds(openPool(log.url, ROLES.ingest, 1));
    const turns = new Map<string, Promise<unknown>>();
    const claim = async (partition: number, pool: Pool, { signal } = new AbortController()) => {
      const lanes = { ...onlyLane(pool), appenders: new Map(), turns };
      const options = { logger: pino({ level: 'silent' }), signal, onReturn: () => {} };
      return await new Source({ topic: 'trips', partition }, lanes, options).claim();
    };
    const connection = await busy.connect();
    const earlier = claim(0, busy);
    const revoked = new AbortController();
    const tooLate = claim(0, idle, revoked);
    revoked.abort();
    const later = claim(0, idle);
    // The pool has a single connection, so if the later claim did not wait for the earlier one, it would end before
    // this claim.
    await claim(1, idle);
    connection.release();
    await expect(tooLate).rejects.toBe(revoked.signal.reason);
    expect([(await earlier).epoch, (await later).epoch]).toEqual([1, 2]);
  });
});
