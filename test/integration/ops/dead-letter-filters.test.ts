import { discard, listDeadLetters, retry, summarizeDeadLetters } from '@milepost/operations/dead-letters';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { contentOf } from '../../support/answers.ts';
import { type OpsWorld, openOps } from '../../support/ops.ts';
import { deliver } from '../../support/pipeline.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('a filter of dead letters', () => {
  let world: OpsWorld;
  beforeEach(async () => {
    world = await openOps();
  });
  afterEach(async () => await world?.close());

  async function idsOf(query: string): Promise<number[]> {
    const answer = await world.ask(`/dead-letters?${query}`);
    return contentOf(answer, listDeadLetters.answer).dead_letters.map(({ id }) => id);
  }

  const refuse = async (topic: string, count: number) =>
    await deliver(
      world.pipeline.ingest,
      Array.from({ length: count }, () => '{broken'),
      topic,
    );

  /** Sets a column of the dead letters to these values, in the order of the dead letters' ids. */
  async function set(column: 'field' | 'reason', values: readonly string[]): Promise<void> {
    for (const [index, value] of values.entries()) {
      const sql = `UPDATE dead_letter SET ${column} = $2 WHERE dead_letter_id = $1`;
      await world.pipeline.owner.query(sql, [index + 1, value]);
    }
  }

  it('counts an element of an array with the other elements, and sorts groups of one size by reason and field', async () => {
    await refuse('milepost.trips', 6);
    await set('reason', ['missing_field', ...Array(5).fill('invalid_field')]);
    await set('field', ['/a', '/events/0', '/events/12', '/events/12', '/b', '/a']);
    const { groups } = contentOf(await world.ask('/dead-letters/summary'), summarizeDeadLetters.answer);
    expect(groups.map(({ reason, field, dead_letters }) => [reason, field, dead_letters])).toEqual([
      ['invalid_field', '/events/*', 3],
      ['invalid_field', '/a', 1],
      ['invalid_field', '/b', 1],
      ['missing_field', '/a', 1],
    ]);
  });

  it('limits a retry and a discard, and the number that is left', async () => {
    await refuse('first', 2);
    await refuse('second', 1);
    const post = async (action: string, body: object) =>
      await world.ask(`/dead-letters/${action}`, { method: 'POST', body: { all_open: true, ...body } });
    const retried = contentOf(await post('retry', { source: 'second' }), retry.answer);
    expect(retried).toMatchObject({ results: [{ id: 3, outcome: 'refused' }], left: 0, next_skip: 1 });
    const discarded = contentOf(await post('discard', { source: 'first', note: 'test data' }), discard.answer);
    expect(discarded).toEqual({ discarded: [1, 2], not_open: [], left: 0 });
    expect(await idsOf('')).toEqual([3]);
  });
});
