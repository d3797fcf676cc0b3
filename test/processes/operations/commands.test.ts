import { tripId } from '@milepost/domain/trip-id';
import { expect, it } from 'vitest';
import { run } from '../../support/command.ts';
import { perSuite } from '../../support/fixtures.ts';
import type { Ended } from '../../support/milepost.ts';
import { deliver, openPipeline, projectAll } from '../../support/pipeline.ts';
import { driverProfile, tripDeleted, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { valuesOf } from '../../support/tables.ts';

describeWithPostgres('the trace and dead-letters commands', () => {
  const pipeline = perSuite(openPipeline);

  async function milepost(...words: string[]): Promise<Ended> {
    return await run(words, { DATABASE_URL: pipeline.url });
  }

  /** Returns the ids of the dead letters from a topic. */
  const idsOf = async (topic: string) =>
    await valuesOf<number>(
      pipeline.owner,
      'SELECT dead_letter_id FROM dead_letter JOIN log_source USING (source_id) WHERE topic = $1 ORDER BY 1',
      [topic],
    );

  it('trace a trip and a day as text without terminal escape sequences', async () => {
    const trip = tripProcessed({ source_trip_id: 'a\u001b[2J\u009b' });
    const id = tripId('acme', trip.source_trip_id);
    const broken = { ...trip, revision: 2, distance_miles: -1 };
    await deliver(pipeline.ingest, [driverProfile(), trip, trip, broken]);

    const text = await milepost('trace', 'trip', id);
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toContain(`Trip ${id} of the fleet acme`);
    expect(text.stdout).toContain('The API shows the log up to position 0');
    expect(text.stdout).toMatch(/duplicates:\n.*\n +2 /);
    expect(text.stdout).toContain('invalid_field');
    expect(text.stdout).not.toMatch(/[^\P{Cc}\n]/u);

    await projectAll(pipeline);
    const day = await milepost('trace', 'driver', 'acme', 'driver-1', '2025-01-15');
    expect(day).toMatchObject({ code: 0, stderr: '' });
    expect(day.stdout).toContain('Driver "driver-1" of the fleet acme on 2025-01-15 (UTC): 1 trip.\n');
    expect(day.stdout).toContain('driver.profile');
    expect(day.stdout).not.toContain('The API shows');
  });

  it("trace a trip's current state, the header that traced it, and the lists that are cut off", async () => {
    const trip = tripProcessed({ source_trip_id: 'traced', driver_id: 'traced-driver' });
    const id = tripId('acme', trip.source_trip_id);
    const first = async () => (await milepost('trace', 'trip', id)).stdout.split('\n')[0];
    const before = `Trip ${id} of the fleet acme, with the source trip id "traced"`;
    const { headPosition: made } = await deliver(pipeline.ingest, [trip], 'traced');
    expect(await first()).toBe(`${before}, as of revision 1 at position ${made}.`);
    expect((await milepost('trace', 'trip', id)).stdout).not.toContain('traceparent');
    const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
    await pipeline.owner.query('UPDATE stored_event SET traceparent = $2 WHERE position = $1', [made, traceparent]);
    expect((await milepost('trace', 'trip', id)).stdout).toMatch(new RegExp(`traceparent *\\n.* ${traceparent}\\n`));
    const { headPosition: deleted } = await deliver(
      pipeline.ingest,
      [tripDeleted({ source_trip_id: 'traced' })],
      'traced',
    );
    expect(await first()).toBe(`${before}, deleted by revision 2 at position ${deleted}.`);
    // Only the first of the two stored events was traced.
    expect((await milepost('trace', 'trip', id)).stdout).toMatch(new RegExp(`traceparent *\\n.* ${traceparent}\\n`));
    const day = await milepost('trace', 'driver', 'acme', 'traced-driver', '2025-01-15');
    expect(day.stdout).toContain('(UTC): 0 trips.\n');
    // A deletion has no start time.
    expect(day.stdout).toMatch(/\n *\d+ +trip\.deleted .* -? +[0-9a-f]{32}\n/);
    expect(day.stderr).toBe('');

    await deliver(pipeline.ingest, Array(1_001).fill(trip), 'traced');
    const many = await milepost('trace', 'trip', id);
    expect([many.code, many.stderr]).toEqual([0, 'These lists may have more entries than are shown: duplicates.\n']);
  });

  it('summarize dead letters, even if there are none, and show a record without a value', async () => {
    const of = ['--source', 'summed'];
    expect(await milepost('dead-letters', 'summary', ...of)).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No dead letters.\n',
    });
    expect(await milepost('dead-letters', 'summary', ...of, '--json')).toMatchObject({ stdout: '[]\n', stderr: '' });
    await deliver(pipeline.ingest, [null, '{', '{', 'é'], 'summed');
    const [none, , , invalid] = await idsOf('summed');
    expect((await milepost('dead-letters', 'summary', ...of)).stdout).toMatch(/^reason .*\ninvalid_json .* 3 /);

    const show = async (id = 0, ...words: string[]) =>
      (await milepost('dead-letters', 'show', String(id), ...words)).stdout;
    expect(await show(none)).toMatch(/\n\n\(The record had no value\.\)\n$/);
    expect(await show(invalid)).toMatch(/\n\né\n$/);
    expect(JSON.parse(await show(invalid, '--json'))).toMatchObject({ raw_bytes: 2, raw_base64: 'w6k=' });
    const discard = ['dead-letters', 'discard', '--all-open', ...of, '--note', 'x'];
    expect((await milepost(...discard)).stdout).toBe('4 discarded\n');
    await pipeline.directory.query('TRUNCATE operator_action');
  });

  it('settle more dead letters than one request accepts', async () => {
    const many = 1_100;
    await deliver(pipeline.ingest, Array(many).fill('{'), 'more');
    const ids = await idsOf('more');
    const retried = await milepost('dead-letters', 'retry', '--json', ...ids.map(String));
    expect(retried).toMatchObject({ code: 1, stderr: expect.stringContaining(`${many} of ${many} dead letters`) });
    expect(JSON.parse(retried.stdout).map(({ id }: { id: number }) => id)).toEqual(ids);
    const again = await milepost('dead-letters', 'retry', '--json', '--all-open', '--source', 'more');
    expect(JSON.parse(again.stdout).map(({ id }: { id: number }) => id)).toEqual(ids);
    const list = ['dead-letters', 'list', '--source', 'more', '--limit', '1050'];
    const next = `There are more than 1050 dead letters: --before ${ids[50]} shows the next page.\n`;
    expect((await milepost(...list)).stderr).toBe(next);
    const listed = await milepost(...list, '--json');
    expect(JSON.parse(listed.stdout).map(({ id }: { id: number }) => id)).toEqual(ids.toReversed().slice(0, 1_050));
    const discard = ['dead-letters', 'discard', '--json', '--all-open', '--source', 'more', '--note', 'x'];
    const discarded = await milepost(...discard);
    expect(JSON.parse(discarded.stdout)).toEqual({ discarded: ids });
    const sql = "SELECT action || ' ' || split_part(detail, ' ', 1) FROM operator_action ORDER BY operator_action_id";
    expect(await valuesOf(pipeline.directory, sql)).toEqual(
      ['retry', 'retry', 'discard'].flatMap((verb) => [`dead-letters.${verb} 1000`, `dead-letters.${verb} 100`]),
    );
  });
});
