import {
  countOpenDeadLetters,
  type DeadLetterFilter,
  discardDeadLetters,
  findDeadLetters,
  firstOpenIds,
} from '@milepost/dead-letters';
import { retryDeadLetters } from '@milepost/dead-letters/retry';
import { setFence } from '@milepost/event-log/fences';
import { claimSource, readSourceCounts } from '@milepost/event-log/sources';
import { isTransientError } from '@milepost/postgres';
import { expect, it } from 'vitest';
import { endLockWaiter, whileLocked } from '../../support/locks.ts';
import { append, deliver, incoming } from '../../support/pipeline.ts';
import { describeWithOwnLog } from '../../support/pipeline-suites.ts';
import { tripProcessed } from '../../support/records.ts';

describeWithOwnLog('dead letters', (pipeline) => {
  async function found(filter: DeadLetterFilter, all = false): Promise<number[]> {
    return (await findDeadLetters(pipeline.operator, filter, { limit: 100, all })).map(({ id }) => id);
  }

  /** Replaces a dead letter's bytes, as if an older release had refused a record that this release stores. */
  async function mend(id: number, record: object): Promise<void> {
    const raw = Buffer.from(JSON.stringify(record));
    await pipeline.rows('UPDATE dead_letter SET raw = $2 WHERE dead_letter_id = $1', id, raw);
  }

  it('are found by reason, source, partition, field, fleet, time and state', async () => {
    const broken = { ...tripProcessed({ fleet_id: 'north' }), distance_miles: -1 };
    const badEvent = { ...tripProcessed({ fleet_id: 'south', driver_id: 'north' }), events: [{ event_type: 3 }] };
    await deliver(pipeline.ingest, [broken, badEvent], 'trips');
    await deliver(pipeline.ingest, ['{"fleet_id" : "north",', null, Buffer.from([0xff])], 'drivers');
    const third = await claimSource(pipeline.ingest, 'drivers', 3);
    await append(pipeline.ingest, third, [incoming(0, '[]')], 1);
    await pipeline.owner.query(`UPDATE dead_letter SET received_at = '2025-01-15T08:00:00Z' WHERE dead_letter_id = 2`);

    const filters: [DeadLetterFilter, number[]][] = [
      [{}, [6, 5, 4, 3, 2, 1]],
      [{ reason: 'invalid_field' }, [2, 1]],
      [{ source: 'drivers' }, [6, 5, 4, 3]],
      [{ source: 'drivers', partition: 3 }, [6]],
      [{ partition: 0 }, [5, 4, 3, 2, 1]],
      [{ source: 'drivers', partition: 0 }, [5, 4, 3]],
      [{ partition: 1 }, []],
      [{ field: '/distance_miles' }, [1]],
      [{ field: '/events' }, [2]],
      [{ field: '/distance' }, []],
      [{ fleet_id: 'north' }, [3, 1]],
      [{ until: '2025-01-15T08:00:00.001Z' }, [2]],
      [{ since: '2025-01-15T08:00:00Z', until: '2025-01-15T08:00:00Z' }, []],
      [{ since: '2025-01-15T08:00:00Z', until: '2025-01-15T08:00:00.001Z' }, [2]],
      [{ since: '2025-01-16T00:00:00Z', reason: 'invalid_field' }, [1]],
    ];
    for (const [filter, ids] of filters) {
      expect(await found(filter), JSON.stringify(filter)).toEqual(ids);
      expect(await countOpenDeadLetters(pipeline.operator, filter)).toBe(ids.length);
      expect((await firstOpenIds(pipeline.operator, filter)).toSorted()).toEqual(ids.toReversed());
    }
    expect(await discardDeadLetters(pipeline.operator, [4, 99, 1], 'a test')).toEqual([1, 4]);
    expect(await discardDeadLetters(pipeline.operator, [1, 2], 'another test')).toEqual([2]);
    const notes = await findDeadLetters(pipeline.operator, {}, { limit: 3, before: 3, all: true });
    expect(notes.map(({ id, note }) => [id, note])).toEqual([
      [2, 'another test'],
      [1, 'a test'],
    ]);
    await pipeline.owner.query('UPDATE dead_letter SET resolution = NULL, resolved_at = NULL WHERE dead_letter_id = 2');
    expect(await found({})).toEqual([6, 5, 3, 2]);
    expect(await countOpenDeadLetters(pipeline.operator, { source: 'drivers', partition: 0 })).toBe(2);
    expect(await countOpenDeadLetters(pipeline.operator, { fleet_id: 'north' })).toBe(1);
    expect(await firstOpenIds(pipeline.operator, { source: 'drivers' }, 1)).toEqual([5, 6]);
    expect(await found({ fleet_id: 'north' }, true)).toEqual([3, 1]);
    expect((await findDeadLetters(pipeline.operator, {}, { limit: 2, before: 5 })).map(({ id }) => id)).toEqual([3, 2]);
    expect(await findDeadLetters(pipeline.operator, {}, { limit: 9, before: 0, all: true })).toEqual([]);
  });

  it('are found by the fleet in their bytes if they name too many ids', async () => {
    const ids = JSON.stringify(Array.from({ length: 300 }, (_, index) => `id-${index}`));
    const members = ['"fleet_id":"north"', '"fleet_id" \n:\t "north"', '"driver_id":"north"', '"fleet_id":"northern"'];
    const letters = members.map((member) => `{"kind":"x",${member},"x":${ids}}`);
    await deliver(pipeline.ingest, letters);
    expect(await pipeline.rows('SELECT DISTINCT fleets FROM dead_letter')).toEqual([{ fleets: null }]);
    expect(await found({ fleet_id: 'north' })).toEqual([2, 1]);
    expect(await countOpenDeadLetters(pipeline.operator, { fleet_id: 'north' })).toBe(2);
  });

  it('are retried by source and offset, so that the record that arrived first wins a conflict', async () => {
    const claim = await claimSource(pipeline.ingest, 'trips', 0);
    const other = await claimSource(pipeline.ingest, 'trips', 1);
    await append(pipeline.ingest, other, [incoming(7, '{')], 8);
    await append(pipeline.ingest, claim, [incoming(0, '{'), incoming(1, '{'), incoming(2, '{')], 3);
    // With reversed offsets, the order of the ids differs from the order of arrival.
    await pipeline.rows(
      'UPDATE dead_letter SET source_offset = 4 - source_offset WHERE source_id = $1',
      claim.sourceId,
    );
    await mend(4, tripProcessed({ distance_miles: 1 }));
    await mend(3, tripProcessed({ distance_miles: 2 }));
    await mend(2, tripProcessed({ distance_miles: 1 }));
    expect(await firstOpenIds(pipeline.operator, {})).toEqual([4, 3, 2, 1]);

    const results = await retryDeadLetters(pipeline.ingest, [1, 2, 99, 3, 4, 4]);
    expect(results).toMatchObject([
      { id: 4, outcome: 'stored' },
      { id: 3, outcome: 'refused', message: expect.stringContaining('different content') },
      { id: 2, outcome: 'duplicate' },
      { id: 1, outcome: 'refused' },
      { id: 99, outcome: 'not_open' },
    ]);
    const stored = await pipeline.rows('SELECT source_id, source_offset FROM stored_event');
    expect(stored).toEqual([{ source_id: claim.sourceId, source_offset: 2 }]);
    const duplicates = await pipeline.rows('SELECT source_offset, position FROM duplicate_record');
    expect(duplicates).toEqual([{ source_offset: 4, position: 1 }]);
    const counts = await readSourceCounts(pipeline.ingest, claim.sourceId);
    expect(counts).toEqual({ read: 3, stored: 1, duplicates: 1, dead_letters: 1 });
    expect(await findDeadLetters(pipeline.operator, {}, { limit: 9, all: true })).toMatchObject([
      { id: 4, resolution: 'retried', resolved_at: expect.any(Date) },
      { id: 3, resolution: null },
      { id: 2, resolution: 'duplicate' },
      { id: 1, resolution: null },
    ]);
    const again = await retryDeadLetters(pipeline.ingest, [4]);
    expect(again).toEqual([{ id: 4, outcome: 'not_open', message: 'There is no open dead letter 4.' }]);
  });

  it('from a partition that was read twice are settled one by one, even if they have the same offset', async () => {
    for (let reading = 0; reading < 4; reading += 1) {
      // The topic has been created again, and an operator continues from its beginning.
      await pipeline.owner.query('UPDATE log_source SET next_offset = 0');
      await deliver(pipeline.ingest, ['{']);
    }
    for (const id of [1, 2]) await mend(id, tripProcessed());
    await mend(4, tripProcessed({ source_trip_id: 'other' }));
    expect(await retryDeadLetters(pipeline.ingest, [1, 2, 3, 4])).toEqual([
      { id: 1, outcome: 'stored', message: null },
      { id: 2, outcome: 'duplicate', message: null },
      { id: 3, outcome: 'refused', message: expect.stringContaining('The record is not JSON') },
      { id: 4, outcome: 'stored', message: null },
    ]);
    expect(await found({})).toEqual([3]);
    expect(await readSourceCounts(pipeline.ingest, 1)).toEqual({ read: 4, stored: 2, duplicates: 1, dead_letters: 1 });
  });

  it('of a moving fleet stay open, and do not keep other dead letters from being retried', async () => {
    await deliver(pipeline.ingest, ['{', '{']);
    await mend(1, tripProcessed({ fleet_id: 'moving' }));
    await mend(2, tripProcessed({ fleet_id: 'staying' }));
    const fence = { fleetId: 'moving', passes: false };
    await setFence(pipeline.ingest, { ...fence, stores: false, epoch: 1 });
    expect(await retryDeadLetters(pipeline.ingest, [1, 2])).toEqual([
      { id: 1, outcome: 'refused', message: expect.stringContaining('Fleet moving has been moved or is being moved') },
      { id: 2, outcome: 'stored', message: null },
    ]);
    expect(await found({})).toEqual([1]);
    await setFence(pipeline.ingest, { ...fence, stores: true, epoch: 2 });
    expect(await retryDeadLetters(pipeline.ingest, [1])).toMatchObject([{ id: 1, outcome: 'stored' }]);
  });

  it('stay open if the connection breaks while their records are being stored', async () => {
    await deliver(pipeline.ingest, ['{']);
    await mend(1, tripProcessed());
    const cut = () => endLockWaiter(pipeline.owner);
    const failure = await whileLocked(pipeline.owner, 'SELECT FROM log_head FOR UPDATE', cut, () =>
      retryDeadLetters(pipeline.ingest, [1]).catch((error: unknown) => error),
    );
    expect(isTransientError(failure)).toBe(true);
    expect(await found({})).toEqual([1]);
    expect(await retryDeadLetters(pipeline.ingest, [1])).toMatchObject([{ outcome: 'stored' }]);
  });

  it('are retried in batches in the order of their offsets, and large ones one by one', async () => {
    const large = `{${' '.repeat(5 * 1024 * 1024)}`;
    await deliver(pipeline.ingest, ['{', large, '{', large, large]);
    await pipeline.owner.query('UPDATE dead_letter SET source_offset = 4 - source_offset');
    for (const id of [1, 2, 3, 4, 5]) await mend(id, tripProcessed({ source_trip_id: `trip-${id}` }));
    const results = await retryDeadLetters(pipeline.ingest, [1, 2, 3, 4, 5]);
    expect(results.map(({ id }) => id)).toEqual([5, 4, 3, 2, 1]);
    // The letters of one batch are settled in one transaction, so at the same time.
    const batches = 'SELECT count(*) AS letters FROM dead_letter GROUP BY resolved_at ORDER BY resolved_at';
    expect(await pipeline.rows(batches)).toEqual([{ letters: 1 }, { letters: 2 }, { letters: 2 }]);
  });

  it('that are processed concurrently by two retries are stored once', async () => {
    await deliver(pipeline.ingest, ['{', '{']);
    await mend(1, tripProcessed());
    await mend(2, tripProcessed({ source_trip_id: 'trip-2' }));
    const both = await whileLocked(pipeline.owner, 'SELECT FROM dead_letter FOR UPDATE', 2, () =>
      Promise.all([retryDeadLetters(pipeline.ingest, [1, 2]), retryDeadLetters(pipeline.ingest, [2, 1])]),
    );
    const outcomes = both.flat().map(({ outcome }) => outcome);
    expect(outcomes.toSorted()).toEqual(['not_open', 'not_open', 'stored', 'stored']);
    expect(await readSourceCounts(pipeline.ingest, 1)).toEqual({ read: 2, stored: 2, duplicates: 0, dead_letters: 0 });
  });

  it('that are discarded during a retry are settled once, either by the discard or by the retry', async () => {
    await deliver(pipeline.ingest, ['{', '{', '{']);
    for (const id of [1, 2, 3]) await mend(id, tripProcessed({ source_trip_id: `trip-${id}` }));
    // The offsets are in the opposite order to the ids, so locking in id order would cause a deadlock.
    await pipeline.owner.query('UPDATE dead_letter SET source_offset = 2 - source_offset');
    const [retried, discarded] = await whileLocked(pipeline.owner, 'SELECT FROM dead_letter FOR UPDATE', 2, () =>
      Promise.all([
        retryDeadLetters(pipeline.ingest, [1, 2, 3]),
        discardDeadLetters(pipeline.operator, [1, 2, 3], 'why'),
      ]),
    );
    const stored = retried.filter(({ outcome }) => outcome === 'stored').map(({ id }) => id);
    expect([...stored, ...discarded].toSorted()).toEqual([1, 2, 3]);
    expect(await readSourceCounts(pipeline.ingest, 1)).toMatchObject({ read: 3, stored: stored.length });
  });
});
