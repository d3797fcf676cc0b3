import { storeFailedAudit } from '@milepost/audit';
import { PROJECTIONS } from '@milepost/projections';
import { expect, it } from 'vitest';
import { auditProjections } from '../../../packages/core/audit/audit-projections.ts';
import { perTest } from '../../support/fixtures.ts';
import { deliver, deliverAndProject, openPipeline, projectAll } from '../../support/pipeline.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const NAMES = PROJECTIONS.map(({ name }) => name).sort();
const ABOUT_NO_ROW = { projection: null, day: null, key: null, positions: [] };

describeWithPostgres('the audit of the log and of the checkpoints', () => {
  const pipeline = perTest(openPipeline);

  const deliverDrivers = async (first: number, last: number, topic?: string) =>
    await deliver(
      pipeline.ingest,
      Array.from({ length: last - first + 1 }, (_, index) => driverProfile({ driver_id: `driver-${first + index}` })),
      topic,
    );
  const audit = async () => await auditProjections(pipeline.projector, PROJECTIONS);
  const details = async (check: string) =>
    (await audit()).faults.filter((fault) => fault.check === check).map(({ detail }) => detail);
  const plant = async (sql: string) => expect((await pipeline.owner.query(sql)).rowCount).toBeGreaterThan(0);

  it('finds no faults in an empty log, and completes its steps in order', async () => {
    const steps: [number, number, string][] = [];
    const report = await auditProjections(pipeline.projector, PROJECTIONS, {
      onProgress: (done, total, next) => steps.push([done, total, next]),
    });
    expect(report).toMatchObject({ equal: true, position: 0, faults: [] });
    const names = ['positions', 'sources', 'trip bodies', ...NAMES, ''];
    expect(steps).toEqual(names.map((name, index) => [index, names.length - 1, name]));
  });

  it('names each gap in the positions, from the first position on, and at most 20 of them', async () => {
    await deliverDrivers(1, 60);
    await projectAll(pipeline);
    await pipeline.owner.query('DELETE FROM stored_event WHERE position IN (1, 4, 5, 6, 9, 59)');
    expect(await details('log_positions')).toEqual([
      'The log contains 54 stored events up to position 60, but none at 1, 4 to 6, 9, 59.',
    ]);
    await pipeline.owner.query('DELETE FROM stored_event WHERE position % 2 = 1');
    const [sentence = ''] = await details('log_positions');
    const [, listed = ''] = /none at (.*)\.$/.exec(sentence) ?? [];
    expect(listed.split(', ').slice(0, 4)).toEqual(['1', '3 to 7', '9', '11']);
    expect(listed.split(', ')).toHaveLength(20);
  });

  it('names a head that precedes the last stored event', async () => {
    await deliverDrivers(1, 2);
    await projectAll(pipeline);
    await pipeline.owner.query('UPDATE log_head SET position = 1');
    expect(await details('log_positions')).toEqual([
      'The head of the log is at position 1, but the last stored event is at 2.',
    ]);
  });

  it.each([
    ['a sum that is wrong', 'records_read = records_read + 1', '4 read = 2 stored + 0 duplicates + 1 dead letters + 0'],
    [
      'records of other lanes that are missing',
      'records_elsewhere = 1',
      '3 read = 2 stored + 0 duplicates + 1 dead letters + 1',
    ],
    [
      'stored events that the log does not contain',
      'records_stored = 3, records_read = 4',
      '4 read = 3 stored + 0 duplicates + 1 dead letters + 0',
    ],
    [
      'dead letters that the log does not contain',
      'records_dead_letter = 2, records_read = 4',
      '4 read = 2 stored + 0 duplicates + 2 dead letters + 0',
    ],
    [
      'fewer dead letters than the log contains',
      'records_dead_letter = 0, records_read = 2',
      '2 read = 2 stored + 0 duplicates + 0 dead letters + 0',
    ],
  ])('names a source that counts %s, but not the other sources', async (_what, change, counts) => {
    await deliver(pipeline.ingest, [driverProfile(), '{broken', driverProfile({ driver_id: 'other' })], 'wrong');
    await deliverAndProject(pipeline, ['{broken', driverProfile({ driver_id: 'third' })], 'right');
    expect((await audit()).faults).toEqual([]);
    // In a restored or edited database, the constraint may be missing.
    await pipeline.owner.query('ALTER TABLE log_source DROP CONSTRAINT log_source_counts');
    await plant(`UPDATE log_source SET ${change} WHERE topic = 'wrong'`);
    expect((await audit()).faults).toEqual([
      {
        check: 'source_counts',
        ...ABOUT_NO_ROW,
        detail: `Source wrong/0 counts ${counts} in other lanes, but the log contains 2 stored events, 0 duplicates and 1 dead letters from it.`,
      },
    ]);
  });

  it.each([
    ['dead letter', 'dead_letter', '2 stored events, 0 duplicates and 0 dead letters'],
    ['stored event', 'stored_event', '0 stored events, 0 duplicates and 1 dead letters'],
  ])('names a source that has lost its last %s', async (_what, table, found) => {
    await deliver(pipeline.ingest, [driverProfile(), '{broken', driverProfile({ driver_id: 'other' })], 'wrong');
    await plant(`DELETE FROM ${table}`);
    expect(await details('source_counts')).toEqual([
      `Source wrong/0 counts 3 read = 2 stored + 0 duplicates + 1 dead letters + 0 in other lanes, but the log contains ${found} from it.`,
    ]);
  });

  it('accepts a source that counts more duplicates than are stored, as earlier releases did', async () => {
    await deliverDrivers(1, 1);
    await projectAll(pipeline);
    await plant('UPDATE log_source SET records_read = records_read + 5, records_duplicate = 5');
    expect((await audit()).faults).toEqual([]);
  });

  it('names a projection without a live generation, and each checkpoint behind the furthest checkpoint', async () => {
    await deliverDrivers(1, 3);
    await projectAll(pipeline);
    await plant("UPDATE generation SET live = false WHERE projection = 'fleets'");
    await plant("UPDATE generation SET checkpoint = 2 WHERE projection = 'daily_rollups'");
    await plant("UPDATE generation SET checkpoint = 1 WHERE projection = 'weekly_rollups'");
    const { faults, projections } = await audit();
    expect(projections.map(({ projection, checkpoint }) => [projection, checkpoint])).toEqual([
      ['daily_rollups', 2],
      ['drivers', 3],
      ['trips', 3],
      ['weekly_rollups', 1],
    ]);
    const behind = (checkpoint: number) =>
      `Its checkpoint is ${checkpoint}, but other checkpoints are at 3, so responses mix rows from both positions. A new projection catches up by itself.`;
    const apart = { check: 'checkpoints_apart' };
    const detail = 'The projection has no live generation.';
    expect(faults).toMatchObject([
      { check: 'no_live_generation', projection: 'fleets', detail, positions: [] },
      { ...apart, projection: 'daily_rollups', detail: behind(2), positions: [{ position: 3 }] },
      { ...apart, projection: 'weekly_rollups', detail: behind(1), positions: [{ position: 2 }] },
    ]);
  });

  it('counts the rows that it does not list, and their days, but not the rows that it lists', async () => {
    const dayOf = (index: number) => Date.UTC(2025, 0, 6 + index, 12);
    const trips = Array.from({ length: 22 }, (_, index) =>
      tripProcessed({ source_trip_id: `trip-${index}`, trip_start_time: dayOf(index % 3) }),
    );
    await deliverAndProject(pipeline, trips);
    const remove = async (count: number) =>
      await plant(`DELETE FROM trips_1 WHERE trip_id IN (SELECT trip_id FROM trips_1 ORDER BY trip_id LIMIT ${count})`);
    await remove(20);
    expect((await audit()).faults.map(({ check }) => check)).toEqual(Array.from({ length: 20 }, () => 'missing_row'));
    await remove(1);
    expect((await audit()).faults.at(-1)?.detail).toBe(
      '1 more row is wrong. Together with the rows shown, it belongs to 3 days.',
    );
    await remove(1);
    const { faults, projections } = await audit();
    expect(faults.at(-1)).toMatchObject({
      check: 'more_rows',
      detail: '2 more rows are wrong. Together with the rows shown, they belong to 3 days.',
    });
    expect(projections.find(({ projection }) => projection === 'trips')).toMatchObject({
      differences: 22,
      differing_day_count: 3,
      expected_rows: 22,
      actual_rows: 0,
    });
  });

  it('keeps the report of an audit that failed, under the reserved id if one exists', async () => {
    await deliverDrivers(1, 2);
    await plant("SELECT setval('audit_audit_id_seq', 7)");
    expect(await storeFailedAudit(pipeline.projector, null, 'out of memory', 3)).toBe(8);
    expect(await storeFailedAudit(pipeline.projector, 5, 'out of time', 4)).toBe(5);
    const { rows } = await pipeline.owner.query(
      'SELECT audit_id, position, equal, seconds, report FROM audit ORDER BY audit_id',
    );
    expect(rows).toMatchObject([
      { audit_id: 5, position: 2, equal: false, seconds: 4, report: { seconds: 4, equal: false, projections: [] } },
      { audit_id: 8, position: 2, equal: false, seconds: 3 },
    ]);
    expect(rows[0].report.faults).toEqual([
      { check: 'audit_failed', ...ABOUT_NO_ROW, detail: 'The audit did not finish: out of time.' },
    ]);
  });
});
