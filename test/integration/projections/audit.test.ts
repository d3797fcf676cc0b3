import { runAudit, storeFailedAudit } from '@milepost/audit';
import { discardDeadLetters } from '@milepost/dead-letters';
import { retryDeadLetters } from '@milepost/dead-letters/retry';
import { tripId } from '@milepost/domain/trip-id';
import { inTransaction, sqlState } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { sidesOf } from '@milepost/projections/engine';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditFault } from '../../../packages/core/audit/report.ts';
import { advance } from '../../../packages/core/projections/engine/advance.ts';
import { run } from '../../support/command.ts';
import { perTest } from '../../support/fixtures.ts';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { deliver, deliverAndProject, openPipeline, projectAll } from '../../support/pipeline.ts';
import { nodesOf, type Plan, rowsOf } from '../../support/query-plan.ts';
import { drawnSequence, textsOf } from '../../support/random-records.ts';
import {
  DEFAULT_TRIP_START,
  driverProfile,
  numberedProfiles,
  tripDeleted,
  tripProcessed,
} from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const DAY = 86_400_000;
const SEQUENCES = 25;
const NAMES = PROJECTIONS.map(({ name }) => name).sort();

const trip = (source_trip_id: string, overrides: Parameters<typeof tripProcessed>[0] = {}) =>
  tripProcessed({ source_trip_id, tracking_id: `track ${source_trip_id}`, ...overrides });

/**
 * Positions 1 to 8, all of which are applied: three trips by driver-1 in one week, one by driver-2, a deleted trip, and
 * a correction.
 */
const RECORDS = [
  driverProfile(),
  trip('one'),
  trip('two', { distance_miles: 3 }),
  trip('three', { trip_start_time: DEFAULT_TRIP_START + DAY }),
  trip('four', { driver_id: 'driver-2' }),
  trip('gone'),
  tripDeleted({ source_trip_id: 'gone' }),
  trip('two', { revision: 2, distance_miles: 4.5, trail_path: [] }),
];
const LAST = RECORDS.length;

const [TWO, THREE] = [tripId('acme', 'two'), tripId('acme', 'three')];

const pipeline = perTest(openPipeline);
const audit = async (options: Parameters<typeof runAudit>[2] = {}) =>
  (await runAudit(pipeline.projector, PROJECTIONS, options)).report;
const faults = async (options?: { stalledAfterSeconds: number }): Promise<AuditFault[]> =>
  (await audit(options)).faults;
const plant = async (sql: string) => expect((await pipeline.owner.query(sql)).rowCount).toBeGreaterThan(0);
const positionsOf = (fault: AuditFault | undefined) => fault?.positions.map(({ position }) => position);
const at = (...positions: number[]) => positions.map((position) => ({ position }));

describeWithPostgres('the audit', () => {
  beforeEach(async () => void (await deliverAndProject(pipeline, RECORDS)));

  it('reports no faults for correct tables, and lists the rows that it compared', async () => {
    const report = await audit();
    expect(report).toMatchObject({ equal: true, position: LAST, faults: [], projection: null });
    expect(report.projections.map(({ projection, expected_rows }) => [projection, expected_rows])).toEqual([
      ['daily_rollups', 3],
      ['drivers', 2],
      ['fleets', 1],
      ['trips', 4],
      ['weekly_rollups', 3],
    ]);
    for (const one of report.projections) {
      expect(one).toMatchObject({ actual_rows: one.expected_rows, differences: 0, checkpoint: LAST });
    }
  });

  it("names a missing trip and its place in the source, and counts that day's rows", async () => {
    await plant(`DELETE FROM trips_1 WHERE trip_id = '${THREE}'`);
    const report = await audit();
    expect(report.faults).toEqual([
      {
        check: 'missing_row',
        projection: 'trips',
        day: '2025-01-16',
        key: `acme/${THREE}`,
        detail: 'This row follows from the log, but is missing from the read table.',
        positions: [
          {
            position: 4,
            kind: 'trip.processed',
            fleet_id: 'acme',
            driver_id: 'driver-1',
            trip_id: THREE,
            revision: 1,
            topic: 'trips',
            partition: 0,
            offset: 3,
          },
        ],
      },
    ]);
    const trips = report.projections.find(({ projection }) => projection === 'trips');
    expect(trips?.differing_days).toEqual([{ day: '2025-01-16', expected_rows: 1, actual_rows: 0 }]);
  });

  it.each([
    ['under the id of another trip', 'gen_random_uuid()', 'driver_id', []],
    ['under another driver', 'trip_id', "'driver-2'", [4]],
  ])('names a trip duplicated %s', async (_, tripId, driverId, found) => {
    // Tables from earlier releases do not have this index, so they accept the second case.
    await pipeline.owner.query('DROP INDEX trips_1_trip_id_idx');
    await plant(`INSERT INTO trips_1 (fleet_id, driver_id, trip_id, position, tracking_id, trip_start_time, trip_end_time, list_entry)
      SELECT fleet_id, ${driverId}, ${tripId}, position, tracking_id, trip_start_time, trip_end_time, list_entry
      FROM trips_1 WHERE trip_id = '${THREE}'`);
    const positions = at(...found);
    expect(await faults()).toMatchObject([{ check: 'extra_row', projection: 'trips', day: '2025-01-16', positions }]);
  });

  it('names a trip whose row shows an older revision, and the field that differs', async () => {
    await plant(`UPDATE trips_1 SET list_entry = replace(list_entry, '"distance_miles":4.5', '"distance_miles":3')
      WHERE trip_id = '${TWO}'`);
    expect(await faults()).toMatchObject([
      {
        check: 'differing_row',
        projection: 'trips',
        key: `acme/${TWO}`,
        detail: 'In this row distance_miles is 3 but should be 4.5.',
        positions: at(8, 3),
      },
    ]);
  });

  it('names a trip whose entry contradicts its row', async () => {
    await plant(`UPDATE trips_1 SET list_entry = replace(list_entry, '"trip_start_time":1', '"trip_start_time":2')
      WHERE driver_id = 'driver-2'`);
    expect(await faults()).toMatchObject([{ check: 'differing_row', positions: at(5) }]);
  });

  it('names a row with invalid JSON, and continues after a value that cannot be read', async () => {
    await plant(`UPDATE trips_1 SET list_entry = left(list_entry, 20) WHERE driver_id = 'driver-2'`);
    await plant(`UPDATE daily_rollups_1 SET summary = replace(summary, '"trip_count":2', '"trip_count":"two"')`);
    expect(await faults()).toMatchObject([
      { check: 'unreadable_rows', projection: 'daily_rollups', detail: expect.stringMatching(/"two"/) },
      { check: 'differing_row', projection: 'trips', positions: at(5) },
    ]);
  });

  it('fails if a column is missing from a read table, and does not report it as an unreadable value', async () => {
    await pipeline.owner.query('ALTER TABLE drivers_1 RENAME TO drivers_0');
    await pipeline.owner.query('CREATE TABLE drivers_1 AS SELECT fleet_id, driver_id FROM drivers_0');
    await pipeline.owner.query('GRANT SELECT ON drivers_1 TO milepost_projector');
    await expect(audit()).rejects.toMatchObject({ code: '42703' });
  });

  it.each([
    ['daily_rollups_1', 'summary', 'date'],
    ['weekly_rollups_1', 'totals', 'through_date'],
  ])(
    'names the driver, the day and the trips behind a row of %s whose count is off by one trip',
    async (table, column, day) => {
      await plant(`UPDATE ${table} SET ${column} = replace(${column}, '"trip_count":2', '"trip_count":3')
      WHERE driver_id = 'driver-1' AND ${day} = '2025-01-15'`);
      expect(await faults()).toMatchObject([
        {
          check: 'differing_row',
          day: '2025-01-15',
          key: 'acme/driver-1',
          detail: 'In this row trip_count is 3 but should be 2.',
          // The deleted trip could also be a cause.
          positions: at(8, 6, 3, 2),
        },
      ]);
    },
  );

  it('names the trips behind a week from its Monday onward', async () => {
    await plant(`DELETE FROM weekly_rollups_1 WHERE through_date = '2025-01-16'`);
    const missing = { check: 'missing_row', projection: 'weekly_rollups', day: '2025-01-16' };
    expect(await faults()).toMatchObject([{ ...missing, positions: at(8, 6, 4, 3, 2) }]);
  });

  it('names stored events that were skipped silently, because a checkpoint advanced without its rows', async () => {
    await deliver(pipeline.ingest, [trip('five'), driverProfile({ driver_id: 'driver-3' })]);
    await plant(`UPDATE generation SET checkpoint = ${LAST + 2}`);
    const found = await faults();
    expect(found.map(({ check, projection }) => `${projection}: ${check}`).sort()).toEqual([
      'daily_rollups: differing_row',
      'drivers: missing_row',
      'fleets: differing_row',
      'trips: missing_row',
      'weekly_rollups: differing_row',
      'weekly_rollups: differing_row',
    ]);
    for (const fault of found)
      expect(positionsOf(fault)).toContain(
        fault.projection === 'drivers' || fault.projection === 'fleets' ? LAST + 2 : LAST + 1,
      );
  });

  it('names rows past a checkpoint that was moved back', async () => {
    await plant(`UPDATE generation SET checkpoint = 4 WHERE projection = 'trips'`);
    const found = await faults();
    expect(found.map(({ check }) => check).sort()).toEqual(['checkpoints_apart', 'differing_row', 'extra_row']);
    const extra = found.find(({ check }) => check === 'extra_row');
    expect(extra?.detail).toContain('The stored event at position 5 concerns this row, but is past the checkpoint 4.');
    expect(positionsOf(found.find(({ check }) => check === 'checkpoints_apart'))).toEqual([5]);
  });

  it('names a stalled projector, with and without a recorded cause, after the limit has passed', async () => {
    await deliver(pipeline.ingest, [trip('five')]);
    expect(await faults()).toEqual([]);
    await plant(`UPDATE stored_event SET stored_at = now() - interval '70 s' WHERE position = ${LAST + 1}`);
    expect(await faults({ stalledAfterSeconds: 7_200 })).toEqual([]);
    const stalled = await faults();
    expect(stalled).toMatchObject(NAMES.map((projection) => ({ check: 'stalled_projector', projection })));
    expect(stalled[0]?.detail).toMatch(
      /^No error is recorded, but position 9 has been waiting for \d+ s at checkpoint 8\.$/,
    );
    expect(positionsOf(stalled[0])).toEqual([LAST + 1]);
    await plant(`UPDATE generation SET failed_position = 9, failure = 'Broken.' WHERE projection = 'trips'`);
    expect(await faults({ stalledAfterSeconds: 7_200 })).toMatchObject([
      { check: 'failed_projector', projection: 'trips', detail: expect.stringMatching(/: Broken\.$/) },
    ]);
  });

  it.each([
    ['another trip', THREE, 4, 5],
    ['an older revision of its own', TWO, 8, 3],
  ])('names a trip that shows the body of %s', async (_, id, position, wrong) => {
    await plant(`UPDATE trips_1 SET position = ${wrong} WHERE trip_id = '${id}'`);
    const detail = `In this row position is ${wrong} but should be ${position}.`;
    expect(await faults()).toMatchObject([{ check: 'differing_row', key: `acme/${id}`, detail }]);
  });

  it('names drivers with swapped ordinals, and a driver with wrong travel dates', async () => {
    await plant(`UPDATE drivers_1 SET ordinal = ordinal + 10`);
    await plant(`UPDATE drivers_1 SET ordinal = CASE driver_id WHEN 'driver-1' THEN 2 ELSE 1 END`);
    expect(await faults()).toMatchObject([
      { check: 'differing_row', key: 'acme/driver-1', detail: 'In this row ordinal is 2 but should be 1.' },
      { check: 'differing_row', key: 'acme/driver-2', positions: at(5) },
    ]);
  });

  it("accepts the sources' counts after dead letters have been retried and discarded", async () => {
    await deliver(pipeline.ingest, ['{', '{', '{'], 'refused');
    await plant(`UPDATE dead_letter SET raw = convert_to('${JSON.stringify(trip('mended'))}', 'UTF8')
      WHERE dead_letter_id IN (1, 2)`);
    const results = await retryDeadLetters(pipeline.ingest, [1, 2]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['stored', 'duplicate']);
    expect(await discardDeadLetters(pipeline.operator, [3], 'a test')).toEqual([3]);
    await projectAll(pipeline);
    expect(await faults()).toEqual([]);
  });

  it('names a checkpoint past the end of the log, as after the restore of an older log', async () => {
    await plant(`UPDATE generation SET checkpoint = ${LAST + 1}`);
    const detail = 'Its checkpoint is 9, but the log ends at position 8.';
    expect(await faults()).toMatchObject(
      NAMES.map((projection) => ({ check: 'checkpoint_past_head', projection, detail })),
    );
  });

  it('omits days that a generation does not keep', async () => {
    await plant(`UPDATE generation SET cutoff = '2025-01-16'`);
    await plant(`DELETE FROM trips_1 WHERE driver_id = 'driver-2'`);
    expect(await faults()).toEqual([]);
  });

  it('counts all missing bodies, lists the first 20, and describes the newest ten stored events behind any fault', async () => {
    await deliverAndProject(
      pipeline,
      Array.from({ length: 20 }, (_, index) => trip(`more ${index}`)),
    );
    await plant('DELETE FROM trip_body');
    await plant("DELETE FROM daily_rollups_1 WHERE driver_id = 'driver-1' AND date = '2025-01-15'");
    expect(await faults()).toMatchObject([
      {
        check: 'missing_body',
        detail: expect.stringMatching(/: positions 2, 3, 4, 5, 6, 8, 9, .*, 22 and 6 more\.$/),
        positions: at(22, 21, 20, 19, 18, 17, 16, 15, 14, 13),
      },
      {
        check: 'missing_row',
        projection: 'daily_rollups',
        positions: at(28, 27, 26, 25, 24, 23, 22, 21, 20, 19),
      },
    ]);
  });

  it("reads rows in proportion to a trip's revisions for each projection, whatever their order", async () => {
    const revisions = 500;
    await deliver(
      pipeline.ingest,
      Array.from({ length: revisions }, (_, index) => trip('often', { revision: revisions - index })),
    );
    await pipeline.owner.query('ANALYZE stored_event');
    for (const { name, audit } of PROJECTIONS) {
      const rows = await pipeline.rows<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sidesOf(audit, '').left.replaceAll('$1', String(LAST + revisions))}`,
      );
      const nodes = rows.flatMap((row) => row['QUERY PLAN'].flatMap((one) => nodesOf(one.Plan)));
      const compared = nodes.map((node) => rowsOf(node) + (node['Rows Removed by Join Filter'] ?? 0));
      expect(compared.length, name).toBeGreaterThan(0);
      expect(Math.max(...compared), name).toBeLessThan(3 * revisions);
    }
  });

  it('exits with 1 if a stored event has waited for two minutes, unless --stalled-after allows more', async () => {
    const milepost = async (...words: string[]) => await run(words, { DATABASE_URL: pipeline.url });
    await deliver(pipeline.ingest, [trip('five')]);
    await plant(`UPDATE stored_event SET stored_at = now() - interval '2 minutes' WHERE position = ${LAST + 1}`);
    const bad = await milepost('audit');
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain(`position ${LAST + 1} has been waiting for`);
    expect(await milepost('audit', '--stalled-after', '3600')).toMatchObject({ code: 0, stderr: '' });
  });

  it("keeps each read table from being dropped until it has read the table's rows", async () => {
    const refusals: [string, string | null][] = [];
    const lockAsDrop = async () => {
      await lockWaiters(pipeline.owner, 1);
      for (const { name } of PROJECTIONS) {
        const locking = inTransaction(pipeline.owner, async (transaction) => {
          await transaction.run(`LOCK TABLE ${name}_1 IN ACCESS EXCLUSIVE MODE NOWAIT`);
        });
        refusals.push([name, await locking.then(() => null, sqlState)]);
      }
    };
    // The audit reads the bodies before it reads any read table.
    const report = await whileLocked(pipeline.owner, 'LOCK TABLE trip_body', lockAsDrop, async () => await audit());
    expect(refusals).toEqual(PROJECTIONS.map(({ name }) => [name, '55P03']));
    expect(report.equal).toBe(true);
  });

  describe('raises no false alarm', () => {
    it('for any sequence of records, at any checkpoint', async () => {
      await fc.assert(
        fc.asyncProperty(drawnSequence, fc.nat(), async ({ deliveries, advanceSizes }, suffix) => {
          const texts = textsOf(deliveries, String(suffix)).map(({ text }) => text);
          await deliver(pipeline.ingest, texts, `source ${suffix % 3}`);
          for (const size of advanceSizes) {
            await advance(pipeline.projector, PROJECTIONS, size);
            expect(await faults()).toEqual([]);
          }
        }),
        { numRuns: SEQUENCES, verbose: 1 },
      );
      await projectAll(pipeline);
      expect(await faults()).toEqual([]);
    });

    it('while rows and checkpoints are written before and after its start', async () => {
      await deliver(pipeline.ingest, [trip('five')]);
      const range = { after: LAST, through: LAST + 1 };
      const report = await inTransaction(pipeline.owner, async (transaction) => {
        for (const { name, apply } of PROJECTIONS) await apply(transaction, range, `${name}_1`);
        await transaction.run(`UPDATE generation SET checkpoint = ${range.through}`);
        // Makes the audit wait after it has taken its snapshot, but before it reads a row.
        await transaction.run('LOCK TABLE trips_1');
        const auditing = audit();
        await lockWaiters(pipeline.owner, 1);
        return { auditing };
      });
      expect(await report.auditing).toMatchObject({
        equal: true,
        position: LAST + 1,
        projections: PROJECTIONS.map(() => ({ checkpoint: LAST })),
      });
      expect(await audit()).toMatchObject({
        equal: true,
        projections: PROJECTIONS.map(() => ({ checkpoint: LAST + 1 })),
      });
    });
  });
});

const ABOUT_NO_ROW = { projection: null, day: null, key: null, positions: [] };

describeWithPostgres('the audit of the log and of the checkpoints', () => {
  it('finds no faults in an empty log, and completes its steps in order', async () => {
    const steps: [number, number, string][] = [];
    const report = await audit({ onProgress: (done, total, next) => steps.push([done, total, next]) });
    expect(report).toMatchObject({ equal: true, position: 0, faults: [] });
    const names = ['positions', 'sources', 'trip bodies', ...NAMES, ''];
    expect(steps).toEqual(names.map((name, index) => [index, names.length - 1, name]));
  });

  it('names a head that precedes the last stored event, and each gap in the positions, of which it lists 20', async () => {
    const details = async () =>
      (await faults()).filter(({ check }) => check === 'log_positions').map(({ detail }) => detail);
    await deliverAndProject(pipeline, numberedProfiles(60));
    await plant('UPDATE log_head SET position = 59');
    expect(await details()).toEqual(['The head of the log is at position 59, but the last stored event is at 60.']);
    await plant('UPDATE log_head SET position = 60');
    await plant('DELETE FROM stored_event WHERE position IN (1, 4, 5, 6, 9, 59)');
    expect(await details()).toEqual([
      'The log contains 54 stored events up to position 60, but none at 1, 4 to 6, 9, 59.',
    ]);
    await plant('DELETE FROM stored_event WHERE position % 2 = 1');
    const [sentence = ''] = await details();
    const [, listed = ''] = /none at (.*)\.$/.exec(sentence) ?? [];
    expect(listed.split(', ').slice(0, 4)).toEqual(['1', '3 to 7', '9', '11']);
    expect(listed.split(', ')).toHaveLength(20);
  });

  const SOURCE = "source_id = (SELECT source_id FROM log_source WHERE topic = 'wrong')";
  const countAs = (change: string) => `UPDATE log_source SET ${change} WHERE ${SOURCE}`;
  const STORE_DUPLICATES = `INSERT INTO duplicate_record (received_at, source_id, source_offset, position)
    SELECT now(), source_id, 100 + n, 2 FROM log_source, generate_series(1, 2) n WHERE ${SOURCE}`;

  // `counts` are those of the source. `contents` are what the log contains: stored events, duplicates and dead letters.
  it.each<[what: string, changes: string[], counts: [number, number, number, number, number], contents: number[]]>([
    ['a sum that is wrong', [countAs('records_read = 4')], [4, 2, 0, 1, 0], [2, 0, 1]],
    ['missing records of other lanes', [countAs('records_elsewhere = 1')], [3, 2, 0, 1, 1], [2, 0, 1]],
    ['missing stored events', [countAs('records_stored = 3, records_read = 4')], [4, 3, 0, 1, 0], [2, 0, 1]],
    ['missing dead letters', [countAs('records_dead_letter = 2, records_read = 4')], [4, 2, 0, 2, 0], [2, 0, 1]],
    ['too few dead letters', [countAs('records_dead_letter = 0, records_read = 2')], [2, 2, 0, 0, 0], [2, 0, 1]],
    ['too few duplicates', [STORE_DUPLICATES, countAs('records_duplicate = 1')], [3, 2, 1, 1, 0], [2, 2, 1]],
    ['a lost dead letter', [`DELETE FROM dead_letter WHERE ${SOURCE}`], [3, 2, 0, 1, 0], [2, 0, 0]],
    ['lost stored events', [`DELETE FROM stored_event WHERE ${SOURCE}`], [3, 2, 0, 1, 0], [0, 0, 1]],
  ])('names a source that counts %s, but not the other sources', async (_what, changes, counts, contents) => {
    await deliver(pipeline.ingest, [driverProfile(), '{broken', driverProfile({ driver_id: 'other' })], 'wrong');
    await deliverAndProject(pipeline, ['{broken', driverProfile({ driver_id: 'third' })], 'right');
    // Earlier releases counted duplicates without storing them.
    await plant("UPDATE log_source SET records_read = 7, records_duplicate = 5 WHERE topic = 'right'");
    expect(await faults()).toEqual([]);
    // In a restored or edited database, the constraint may be missing.
    await pipeline.owner.query('ALTER TABLE log_source DROP CONSTRAINT log_source_counts');
    for (const change of changes) await plant(change);
    const [read, stored, duplicates, letters, elsewhere] = counts;
    const sum = `${read} read = ${stored} stored + ${duplicates} duplicates + ${letters} dead letters + ${elsewhere}`;
    const contained = `${contents[0]} stored events, ${contents[1]} duplicates and ${contents[2]} dead letters`;
    const detail = `Source wrong/0 counts ${sum} in other lanes, but the log contains ${contained} from it.`;
    const found = (await faults()).filter(({ check }) => check === 'source_counts');
    expect(found).toEqual([{ check: 'source_counts', ...ABOUT_NO_ROW, detail }]);
  });

  it('names a projection without a live generation, and each checkpoint behind the furthest checkpoint', async () => {
    await deliverAndProject(pipeline, numberedProfiles(3));
    await plant("UPDATE generation SET live = false WHERE projection = 'fleets'");
    await plant("UPDATE generation SET checkpoint = 2 WHERE projection = 'daily_rollups'");
    await plant("UPDATE generation SET checkpoint = 1 WHERE projection = 'weekly_rollups'");
    const report = await audit();
    expect(report.projections.map(({ projection, checkpoint }) => [projection, checkpoint])).toEqual([
      ['daily_rollups', 2],
      ['drivers', 3],
      ['trips', 3],
      ['weekly_rollups', 1],
    ]);
    const behind = (checkpoint: number) =>
      `Its checkpoint is ${checkpoint}, but other checkpoints are at 3, so responses mix rows from both positions. A new projection catches up by itself.`;
    const apart = { check: 'checkpoints_apart' };
    const detail = 'The projection has no live generation.';
    expect(report.faults).toMatchObject([
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
    expect((await faults()).map(({ check }) => check)).toEqual(Array.from({ length: 20 }, () => 'missing_row'));
    await remove(1);
    expect((await faults()).at(-1)?.detail).toBe(
      '1 more row is wrong. Together with the rows shown, it belongs to 3 days.',
    );
    await remove(1);
    const report = await audit();
    expect(report.faults.at(-1)).toMatchObject({
      check: 'more_rows',
      detail: '2 more rows are wrong. Together with the rows shown, they belong to 3 days.',
    });
    expect(report.projections.find(({ projection }) => projection === 'trips')).toMatchObject({
      differences: 22,
      differing_day_count: 3,
      expected_rows: 22,
      actual_rows: 0,
    });
  });

  it('keeps the report of an audit that failed, under the reserved id if one exists', async () => {
    await deliver(pipeline.ingest, numberedProfiles(2));
    await plant("SELECT setval('audit_audit_id_seq', 7)");
    expect(await storeFailedAudit(pipeline.projector, null, 'out of memory', 3)).toBe(8);
    expect(await storeFailedAudit(pipeline.projector, 5, 'out of time', 4)).toBe(5);
    const failed = { check: 'audit_failed', ...ABOUT_NO_ROW, detail: 'The audit did not finish: out of time.' };
    const sql = "SELECT *, report -> 'faults' AS faults FROM audit ORDER BY audit_id";
    const rows = await pipeline.rows(sql);
    expect(rows).toMatchObject([
      { audit_id: 5, position: 2, equal: false, seconds: 4, report: { seconds: 4, equal: false, projections: [] } },
      { audit_id: 8, position: 2, equal: false, seconds: 3 },
    ]);
    expect(rows[0]?.['faults']).toEqual([failed]);
  });
});
