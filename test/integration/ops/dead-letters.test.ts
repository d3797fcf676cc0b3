import {
  discard,
  listDeadLetters,
  retry,
  showDeadLetter,
  summarizeDeadLetters,
} from '@milepost/operations/dead-letters';
import { beforeAll, expect, it } from 'vitest';
import { contentOf } from '../../support/answers.ts';
import { auditTrail, describeWithOps, describeWithOwnOps, type OpsWorld, opsProblem } from '../../support/ops.ts';
import { deliver } from '../../support/pipeline.ts';
import { tripProcessed } from '../../support/records.ts';

/** This contains a byte that is never valid in UTF-8, so only base64 can represent the record. */
const BROKEN = Buffer.from([0x7b, 0xff, 0x00]);
const MANY = 1_100;

const invalid = (source_trip_id: string) => ({ ...tripProcessed({ source_trip_id }), revision: 0 });

/** Returns functions that send requests about dead letters. */
function requestsTo(world: OpsWorld) {
  const list = async (query = '') => contentOf(await world.ask(`/dead-letters${query}`), listDeadLetters.answer);
  return {
    list,
    idsOf: async (query = '') => (await list(query)).dead_letters.map(({ id }) => id),
    show: async (id: number) => contentOf(await world.ask(`/dead-letters/${id}`), showDeadLetter.answer),
  };
}

describeWithOps('/dead-letters that are read', (world) => {
  const { list, idsOf, show } = requestsTo(world);

  beforeAll(async () => {
    await deliver(world.pipeline.ingest, [BROKEN, invalid('a'), null, '{no json'], 'milepost.trips');
    await deliver(world.pipeline.ingest, [{ ...invalid('b'), fleet_id: 'other' }], 'file:b.ndjson');
  });

  it('are listed in pages, newest first, without their bytes', async () => {
    const { dead_letters, next_before } = await list('?limit=2');
    expect(dead_letters).toMatchObject([
      { id: 5, topic: 'file:b.ndjson', reason: 'invalid_field', field: '/revision', resolution: null },
      { id: 4, topic: 'milepost.trips', partition: 0, offset: 3, reason: 'invalid_json', raw_bytes: 8 },
    ]);
    expect(next_before).toBe(4);
    expect(await idsOf('?limit=3&before=4')).toEqual([3, 2, 1]);
    expect((await list('?limit=5')).next_before).toBeNull();
  });

  it.each([
    ['reason=invalid_field', [5, 2]],
    ['source=milepost.trips', [4, 3, 2, 1]],
    ['source=milepost.trips&field=/revision', [2]],
    ['partition=1', []],
    ['fleet_id=other', [5]],
    ['since=2999-01-01T00:00:00Z', []],
    ['until=2999-01-01T00:00:00%2B02:00&reason=null_value', [3]],
  ])('are found by %s', async (query, ids) => expect(await idsOf(`?${query}`)).toEqual(ids));

  it('are counted by reason and field, ignoring array indexes, in order of count, reason and field', async () => {
    const summary = async (query: string) =>
      contentOf(await world.ask(`/dead-letters/summary?${query}`), summarizeDeadLetters.answer).groups.map(
        ({ reason, field, dead_letters }) => [reason, field, dead_letters],
      );
    await deliver(world.pipeline.ingest, Array(8).fill('{broken'), 'counted');
    const fields = ['/a', '/events/0', '/events/12', '/events/12', '/b', '/a', '/trail/1/x', '/trail/2/x'];
    for (const [index, field] of fields.entries()) {
      const reason = index === 0 ? 'missing_field' : 'invalid_field';
      const change = 'UPDATE dead_letter SET reason = $2, field = $3 WHERE dead_letter_id = $1';
      await world.pipeline.owner.query(change, [index + 6, reason, field]);
    }
    const groups = [
      ['invalid_field', '/events/*', 3],
      ['invalid_field', '/trail/*/x', 2],
      ['invalid_field', '/a', 1],
      ['invalid_field', '/b', 1],
      ['missing_field', '/a', 1],
    ];
    expect(await summary('source=counted')).toEqual(groups);
    await world.post('/dead-letters/discard', { all_open: true, source: 'counted', note: 'a test' });
    expect(await summary('source=counted')).toEqual([]);
    expect(await summary('source=counted&all=true')).toEqual(groups);
    opsProblem(await world.ask('/dead-letters/summary?reason=no'), 400, 'invalid_parameter');
  });

  it('are shown with their bytes', async () => {
    expect(await show(1)).toMatchObject({ reason: 'invalid_utf8', raw_base64: BROKEN.toString('base64') });
    expect(await show(3)).toMatchObject({ reason: 'null_value', raw_base64: null, raw_bytes: null });
    for (const id of ['4711', '0', 'x', '9007199254740991', '99999999999999999999']) {
      opsProblem(await world.ask(`/dead-letters/${id}`), 404, 'dead_letter_not_found');
    }
  });

  it('reject an invalid query with an error that names all of its invalid and unknown parameters', async () => {
    const query = 'partition=-1&fleet_id=a%20b&until=%ff&limit=1&limit=1&before=x&limt=1';
    const { errors = [] } = opsProblem(await world.ask(`/dead-letters?${query}`), 400, 'invalid_parameter');
    expect(errors.map(({ parameter }) => parameter).sort()).toEqual([
      ...['before', 'fleet_id', 'limit', 'limt', 'partition', 'until'],
    ]);
  });
});

describeWithOwnOps('/dead-letters that are settled', (world) => {
  const { idsOf, show } = requestsTo(world);
  const retried = async (body: object) => contentOf(await world.post('/dead-letters/retry', body), retry.answer);

  /** Creates dead letters whose records the current rules accept, as if a bug in the rules had been fixed. */
  async function letters(...records: object[]): Promise<void> {
    await deliver(world.pipeline.ingest, Array(records.length).fill('{'), 'milepost.trips');
    for (const [index, record] of records.entries()) {
      const values = [index + 1, Buffer.from(JSON.stringify(record))];
      await world.pipeline.owner.query('UPDATE dead_letter SET raw = $2 WHERE dead_letter_id = $1', values);
    }
  }

  it('are retried by id, and only those that are still open are listed', async () => {
    await letters(tripProcessed(), tripProcessed({ distance_miles: 9 }), tripProcessed());
    const { results, ...rest } = await retried({ ids: [3, 2, 1, 3, 99] });
    expect(results.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
      ...['1 stored', '2 refused', '3 duplicate', '99 not_open'],
    ]);
    expect(rest).toEqual({ left: 0, next_skip: 0 });
    expect(await show(1)).toMatchObject({ resolution: 'retried' });
    expect(await idsOf()).toEqual([2]);
    expect((await auditTrail(world))[0]?.detail).toBe('1 stored, 1 refused, 1 duplicate, 1 not open');
  });

  it('are discarded, a thousand per request, and remain visible', async () => {
    await deliver(world.pipeline.ingest, Array(MANY).fill('{broken'), 'milepost.trips');
    const discarded = async (body: object) =>
      contentOf(await world.post('/dead-letters/discard', { ...body, note: 'test data' }), discard.answer);
    const one = await discarded({ ids: [7, 7, 9_999] });
    expect(one).toEqual({ discarded: [7], not_open: [9_999], left: 0 });
    for (const [count, left] of [
      [1_000, MANY - 1_001],
      [MANY - 1_001, 0],
    ]) {
      const all = await discarded({ all_open: true });
      expect([all.discarded.length, all.left]).toEqual([count, left]);
    }
    expect(await idsOf()).toEqual([]);
    expect(await show(7)).toMatchObject({ resolution: 'discarded', note: 'test data', raw_bytes: 7 });
    expect(await idsOf('?all=true&limit=2')).toEqual([MANY, MANY - 1]);
    expect((await auditTrail(world)).map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^99 discarded: (\d+, ){20}\.\.\.$/),
      expect.stringMatching(/^1000 discarded: /),
      '1 discarded: 7',
    ]);
  });

  it('are all settled that match the filter, and only those that remain open count as skipped by a retry', async () => {
    await letters(tripProcessed(), tripProcessed(), tripProcessed({ distance_miles: 9 }));
    await deliver(world.pipeline.ingest, ['{broken'], 'other');
    const matching = { all_open: true, source: 'milepost.trips' };
    const { results, ...rest } = await retried(matching);
    expect(results.map(({ outcome }) => outcome)).toEqual(['stored', 'duplicate', 'refused']);
    expect(rest).toEqual({ left: 0, next_skip: 1 });
    await deliver(world.pipeline.ingest, ['{later'], 'milepost.trips');
    const next = await retried({ ...matching, skip: rest.next_skip });
    expect(next).toMatchObject({ results: [{ id: 5 }], left: 0, next_skip: 2 });
    const body = { ...matching, note: 'test data' };
    const discarded = contentOf(await world.post('/dead-letters/discard', body), discard.answer);
    expect(discarded).toEqual({ discarded: [3, 5], not_open: [], left: 0 });
    expect(await idsOf()).toEqual([4]);
  });
});
