import { runAudit } from '@milepost/audit';
import { erase as eraseOperation } from '@milepost/operations/drivers';
import { PROJECTIONS } from '@milepost/projections';
import type { Projection } from '@milepost/projections/engine';
import { expect, it } from 'vitest';
import { runRetention } from '../../../apps/ops/worker/retention.ts';
import { contentOf } from '../../support/answers.ts';
import { findEverywhere } from '../../support/find-everywhere.ts';
import { perTest } from '../../support/fixtures.ts';
import { projectionNamed } from '../../support/fold.ts';
import { openOps, opsProblem } from '../../support/ops.ts';
import { deliver, projectAll } from '../../support/pipeline.ts';
import { startProjector } from '../../support/projector.ts';
import { driverProfile, tripDeleted, tripProcessed } from '../../support/records.ts';
import { runUntil, withStages, workerOf } from '../../support/replay.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const DAY_MILLISECONDS = 86_400_000;
const TODAY = Math.floor(Date.now() / DAY_MILLISECONDS) * DAY_MILLISECONDS;
const RETENTION_DAYS = 12;
/** The driver has the highest id, so that this id appears as a chunk boundary. */
const VICTIM = 'víctim 🚗 "7"/42';
/** The publisher's spans may name the driver. */
const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const PERSONAL = [VICTIM, 'victim-trip', 'victim-track', 'Timberlake', 'vt@example.org', TRACE];

const trip = (day: number, overrides: object = {}) =>
  tripProcessed({
    source_trip_id: `victim-trip-${day}`,
    tracking_id: `victim-track-${day}`,
    driver_id: VICTIM,
    trip_start_time: TODAY - day * DAY_MILLISECONDS + 3_600_000,
    trip_end_time: TODAY - day * DAY_MILLISECONDS + 5_400_000,
    events: [],
    trail_path: [],
    ...overrides,
  });
const ofOthers = (day: number) => trip(day, { source_trip_id: `trip-${day}`, tracking_id: null, driver_id: 'ada' });

/** Refused records, all of which the erasure must delete. */
const LETTERS = [
  { ...driverProfile({ driver_id: VICTIM, last_name: 'Timberlake' }), email: 17 },
  { ...trip(5), distance_miles: VICTIM },
  // This is larger than one chunk, and the names are in the last chunk.
  `{"x":"${'x'.repeat(700_000)}","fleet_id":"acme","driver_id":${JSON.stringify(VICTIM)},"email":"vt@example.org"`,
  // This contains too many names to identify a driver.
  JSON.stringify([...Array.from({ length: 300 }, (_, index) => `id-${index}`), VICTIM]),
  // This is already stored with different content.
  trip(5, { distance_miles: 99 }),
  `{"fleet_id":"acme","source_trip_id":"victim-trip-5"`,
];

describeWithPostgres('the whole database', () => {
  const world = perTest(openOps);

  const path = `/drivers/acme/${encodeURIComponent(VICTIM)}/erasure`;

  /** Makes a projector fail at one of the driver's stored events, with a message that contains the id. */
  async function plantFailedProjection(): Promise<void> {
    const { pipeline } = world;
    await deliver(pipeline.ingest, [trip(1)]);
    const fleets = projectionNamed('fleets');
    const failing: Projection = {
      ...fleets,
      apply: async () => {
        throw new Error(`cannot render ${JSON.stringify({ driver_id: VICTIM })}`);
      },
    };
    const projections = PROJECTIONS.map((each) => (each === fleets ? failing : each));
    // The failure is recorded before the projector checks the signal again.
    const onFailure = () => void setImmediate(projector.stop);
    const projector = startProjector(pipeline.projector, projections, { batchSize: 1_000, onFailure });
    await projector.running;
  }

  /** Creates three replays: one halts in its first stage, one in its second stage, and one stops before indexing. */
  async function plantReplays(): Promise<void> {
    const { projector } = world.pipeline;
    // A stage fails on its first chunk with an error that names the driver.
    const run = async () => {
      throw new Error(`no such row: (acme,${VICTIM})`);
    };
    for (const [projection, broken] of [
      ['weekly_rollups', 1],
      ['trips', 0],
    ] as const) {
      const failing = withStages(projectionNamed(projection), (stage, index) =>
        index === broken ? { ...stage, run } : stage,
      );
      const worker = workerOf(projector, [failing]);
      const id = await worker.start({ projection });
      expect(await worker.outcome(id)).toMatchObject({ phase: 'filling', halted: 'failed' });
    }
    const worker = workerOf(projector, [projectionNamed('daily_rollups')]);
    const id = await worker.start({ projection: 'daily_rollups' });
    await runUntil(worker, id, 'indexing');
    expect((await worker.show(id)).phase).toBe('indexing');
  }

  /**
   * First runs a replay for retention, which keeps the replaced generations. Then runs a replay whose verification
   * reports the driver's row as a difference.
   */
  async function plantRetention(): Promise<void> {
    const { owner, projector } = world.pipeline;
    const rules = { tripRetentionDays: RETENTION_DAYS, replacedGenerationDays: 7 };
    const { started } = await runRetention(projector, PROJECTIONS, rules);
    expect(started).toHaveLength(1);
    const worker = workerOf(projector, PROJECTIONS);
    for (const id of started) expect((await worker.outcome(id)).phase).toBe('promoted');
    const id = await worker.start({ projection: 'drivers' });
    const rename = async (from: string, to: string) =>
      await owner.query('UPDATE drivers_1 SET profile = replace(profile, $1, $2)', [from, to]);
    await rename('Timberlake', 'Smith');
    await worker.run(id);
    await rename('Smith', 'Timberlake');
    expect(await worker.show(id)).toMatchObject({ verification: { equal: false } });
  }

  async function plantAudit(): Promise<void> {
    const { owner, projector } = world.pipeline;
    await owner.query("UPDATE trips_2 SET tracking_id = tracking_id || 'x'");
    expect((await runAudit(projector, PROJECTIONS)).report.equal).toBe(false);
    await owner.query('UPDATE trips_2 SET tracking_id = left(tracking_id, -1)');
  }

  it.each([false, true])(
    'contains no data of an erased driver, whatever failed, halted or was refused earlier (aggregates kept: %s)',
    async (keep_aggregates) => {
      const { pipeline } = world;
      const { owner, ingest } = pipeline;
      await deliver(ingest, [
        ...[20, 10, 5, 3].flatMap((day) => [ofOthers(day), trip(day)]),
        driverProfile({ driver_id: VICTIM, last_name: 'Timberlake', email: 'vt@example.org' }),
        trip(2),
        tripDeleted({ source_trip_id: 'victim-trip-2', revision: 2 }),
      ]);
      await owner.query("UPDATE stored_event SET traceparent = $1 WHERE driver_id IS DISTINCT FROM 'ada'", [TRACE]);
      await projectAll(pipeline);
      const { counts } = await deliver(ingest, [...LETTERS, trip(10)], 'letters');
      expect(counts).toMatchObject({ dead_letters: LETTERS.length, duplicates: 1 });
      await plantRetention();
      await plantAudit();
      await plantReplays();
      await plantFailedProjection();
      // Refused requests and settled dead letters are recorded in the audit trail.
      const ask = async (url: string, body: object) => await world.ask(url, { method: 'POST', body });
      opsProblem(await ask(path, { reason: `because ${VICTIM} asks` }), 400, 'invalid_parameter');
      opsProblem(await ask(path, { reason: 'case 812', note: VICTIM }), 400, 'invalid_parameter');
      opsProblem(await ask(path.replace('acme', 'other'), { reason: 'case 812' }), 409, 'erasure_refused');
      expect((await ask('/dead-letters/discard', { ids: [1], note: 'settled' })).statusCode).toBe(200);
      expect((await ask('/dead-letters/retry', { ids: [2, 3] })).statusCode).toBe(200);

      const planted = new Set((await findEverywhere(owner, [VICTIM])).map((found) => found.replace(/:.*/s, '')));
      for (const column of [
        ...['generation.failure', 'replay.error', 'replay.verification', 'replay_chunk.through_key', 'audit.report'],
        ...['dead_letter.raw', 'dead_letter.message', 'dead_letter_chunk.bytes'],
        ...['stored_event.driver_id', 'trips_1.driver_id', 'trips_2.driver_id'],
      ]) {
        const places = [...planted].filter((found) => found.startsWith(`milepost.${column}`));
        expect(places, column).not.toEqual([]);
      }
      const boundaries = await pipeline.rows(
        `SELECT count(*) AS chunks, count(*) FILTER (WHERE halted = 'failed') AS halted FROM replay
         JOIN replay_chunk USING (replay_id, projection) WHERE $1 = ANY(through_key)`,
        VICTIM,
      );
      expect(boundaries).toEqual([{ chunks: 2, halted: 1 }]);

      const erased = contentOf(await ask(path, { reason: 'case 812', keep_aggregates }), eraseOperation.answer);
      expect(erased).toMatchObject({ aggregates_kept: keep_aggregates, dead_letters: LETTERS.length });
      expect(await findEverywhere(owner, PERSONAL)).toEqual([]);
      // A record about the driver must not return, even if it had been refused, or not yet applied, before the erasure.
      await deliver(ingest, [...LETTERS, trip(10), trip(1)], 'again');
      await projectAll(pipeline);
      expect(await findEverywhere(owner, PERSONAL)).toEqual([]);
      expect((await runAudit(pipeline.projector, PROJECTIONS)).report.faults).toEqual([]);
    },
  );

  it('contains no data from a batch whose records name more drivers than ingest looks up', async () => {
    const { ingest, owner } = world.pipeline;
    await deliver(ingest, [driverProfile({ driver_id: VICTIM })]);
    contentOf(await world.ask(path, { method: 'POST', body: { reason: 'case 812' } }), eraseOperation.answer);
    // Each record names up to 249 drivers and as many trips, all without a fleet.
    const records = Array.from({ length: 110 }, (_, record) =>
      JSON.stringify([VICTIM, ...Array.from({ length: 240 }, (_, index) => `id-${record}-${index}`)]),
    );
    expect((await deliver(ingest, records.slice(0, 1))).counts).toMatchObject({ dead_letters: 1 });
    expect((await deliver(ingest, records, 'too many')).counts).toMatchObject({ dead_letters: records.length });
    expect(await findEverywhere(owner, PERSONAL)).toEqual([]);
    const dropped = await world.pipeline.rows(
      `SELECT FROM dead_letter JOIN log_source USING (source_id)
       WHERE topic = 'too many' AND raw IS NULL AND reason = 'driver_erased'`,
    );
    expect(dropped).toHaveLength(records.length);
  });

  it('contains no data from a record without a fleet whose ids too many fleets might contain', async () => {
    const { ingest, owner } = world.pipeline;
    const eraseInFleets = async (first: number, last: number) =>
      await owner.query(
        `INSERT INTO erasure (position, keep_aggregates, fleet_id, driver_hash, reason)
         SELECT -fleet, false, 'fleet-' || fleet, sha256(fleet::text::bytea), 'case 812'
         FROM generate_series(${first}, ${last}) AS fleet`,
      );
    await owner.query('UPDATE log_head SET has_erasures = true');
    // In each fleet with erasures, each string may be the id of a driver or of a trip.
    const record = JSON.stringify(Array.from({ length: 240 }, (_, index) => `id-${index}`));
    await eraseInFleets(1, 50);
    await deliver(ingest, [record], '50 fleets');
    await eraseInFleets(51, 250);
    await deliver(ingest, [record], '250 fleets');
    const letters = await world.pipeline.rows(
      `SELECT topic, reason, raw IS NULL AS is_dropped FROM dead_letter JOIN log_source USING (source_id)
       ORDER BY dead_letter_id`,
    );
    expect(letters).toEqual([
      { topic: '50 fleets', reason: 'not_an_object', is_dropped: false },
      { topic: '250 fleets', reason: 'driver_erased', is_dropped: true },
    ]);
  });
});
