import { SUMMED_FIELDS } from '@milepost/domain/vocabulary';
import { PROJECTIONS } from '@milepost/projections';
import type { Projection } from '@milepost/projections/engine';
import { encodeTrailPath } from '@milepost/trail-codec';
import { expect, it } from 'vitest';
import { BEGIN_BUILDING } from '../../../packages/core/replay/building.ts';
import { claimReplay } from '../../../packages/core/replay/lease.ts';
import { findReplay } from '../../../packages/core/replay/replay.ts';
import { retryDeadLetterBatch } from '../../../packages/operator/dead-letters/retry.ts';
import { eraseDriver } from '../../../packages/operator/erasure/erase-driver.ts';
import { run } from '../../support/command.ts';
import { findEverywhere } from '../../support/find-everywhere.ts';
import { projectionNamed } from '../../support/fold.ts';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { runOnTerminal } from '../../support/milepost.ts';
import { deliver, deliverAndProject, incoming, projectAll } from '../../support/pipeline.ts';
import { describeWithOwnPipeline } from '../../support/pipeline-suites.ts';
import { driverProfile, tripDeleted, tripProcessed } from '../../support/records.ts';
import { inSmallChunks, replaysOf, watchedChunks, withStages } from '../../support/replay.ts';
import { tableTexts } from '../../support/tables.ts';

const DAY = 86_400_000;
const START = Date.UTC(2025, 0, 15, 8, 1, 2, 345);
const VICTIM = 'víctim "x"/42';
const PLACE = {
  start_latitude: 51.12345671,
  start_longitude: 7.65432101,
  end_latitude: 51.2468013,
  end_longitude: 7.9753197,
};
const TRAIL = [{ timestamp: START, latitude: 51.12345671, longitude: 7.65432101, course: 12.5 }];
const { events: TRIP_EVENTS } = tripProcessed({ trip_start_time: START + 5 * DAY });

function victimTrip(n: number, overrides: object = {}) {
  return tripProcessed({
    source_trip_id: `victim-trip-${n}`,
    driver_id: VICTIM,
    tracking_id: `victim-track-${n}`,
    insurance_period: 1,
    trip_start_time: START + n * DAY,
    trail_path: TRAIL,
    events: [],
    ...PLACE,
    ...overrides,
  });
}

const NAMED = { driver_id: VICTIM, last_name: 'Timberlake' };

/** All kinds of stored events, including trips that moved to or away from the driver. */
const VICTIM_RECORDS = [
  driverProfile({ ...NAMED, first_name: 'Vicky', email: 'vt@example.org', alias: 'Vix' }),
  driverProfile({ ...NAMED, first_name: 'Victoria', revision: 3 }),
  driverProfile({ driver_id: VICTIM, first_name: 'Vicious', revision: 2 }),
  victimTrip(1),
  victimTrip(1, { revision: 3, distance_miles: 20 }),
  // A late revision without effect.
  victimTrip(1, { revision: 2, distance_miles: 15 }),
  victimTrip(2),
  tripDeleted({ source_trip_id: 'victim-trip-2', revision: 2 }),
  // The deletion arrives first.
  tripDeleted({ source_trip_id: 'victim-trip-3', revision: 5 }),
  victimTrip(3),
  victimTrip(4, { source_trip_id: 'moved-away' }),
  victimTrip(5, { events: TRIP_EVENTS }),
  victimTrip(9),
];
const OTHERS = [
  tripProcessed({ source_trip_id: 'first' }),
  driverProfile({ driver_id: 'driver-2', first_name: 'Grace' }),
  tripProcessed({ source_trip_id: 'moved-away', revision: 2, driver_id: 'driver-2' }),
  tripProcessed({ source_trip_id: 'victim-trip-9', revision: 1, driver_id: 'driver-2', fleet_id: 'other' }),
  tripProcessed({ source_trip_id: 'same-id', driver_id: VICTIM, fleet_id: 'other' }),
];
const BROKEN = [
  { ...driverProfile({ driver_id: VICTIM, revision: 9 }), email: 17, alias: 'Vix' },
  { ...tripDeleted({ source_trip_id: 'victim-trip-1' }), revision: 'Vix' },
  victimTrip(1, { revision: 3, distance_miles: 21 }),
  `{"fleet_id":"acme","driver_id":${JSON.stringify(VICTIM)},"last_name":"Timber`,
];
const BROKEN_OTHERS = [{ ...driverProfile({ driver_id: 'driver-2', revision: 9 }), email: 18 }, '{"fleet_id":"acme"'];

/**
 * Strings that must not remain in the fleet `acme`. The fleet `other` has a driver with the same id, whose data must
 * remain.
 */
const PERSONAL = [
  ...[VICTIM, 'Vicky', 'Victoria', 'Vicious', 'Timber', 'vt@example.org', 'Vix', 'victim-trip', 'victim-track'],
  ...['51.123456', '7.654321', '51.24680', '7.975319', String(START + DAY), String(START + DAY + 1_800_000)],
];

describeWithOwnPipeline('the erasure of a driver', (pipeline) => {
  async function fill(): Promise<void> {
    const [first = {}, ...others] = OTHERS;
    await deliverAndProject(pipeline, [first, ...VICTIM_RECORDS, ...others, ...BROKEN, ...BROKEN_OTHERS]);
  }

  type Request = Partial<Parameters<typeof eraseDriver>[2]>;
  const usual = { fleetId: 'acme', driverId: VICTIM, reason: 'case 812', keepAggregates: false };
  const erase = async (request: Request = {}, projections: readonly Projection[] = PROJECTIONS) =>
    await eraseDriver(pipeline.eraser, projections, { ...usual, ...request });

  /** Returns where the database contains personal data, except in the fleet `other`. */
  const findings = async () => await findEverywhere(pipeline.owner, PERSONAL, /\bother\b/);

  const texts = async (projection: string) => await tableTexts(pipeline.owner, `${projection}`);
  const withoutVictim = (rows: string[]) => rows.filter((row) => !row.includes('42') && !row.includes('erased-'));

  /**
   * Replays projections that call `pause` in the middle of a chunk or a batch, and erases a driver meanwhile. The
   * erasure waits until the chunk or batch ends.
   */
  async function eraseBesideReplay(projections: (pause: () => Promise<void>) => Projection[]): Promise<void> {
    await fill();
    const reached = Promise.withResolvers<void>();
    const mayGoOn = Promise.withResolvers<void>();
    const pausing = projections(async () => {
      reached.resolve();
      await mayGoOn.promise;
    });
    const worker = replaysOf(pipeline, pausing);
    const id = await worker.start({ projection: 'all' });
    const running = worker.run(id, { workers: 1 });
    await reached.promise;
    const erasing = erase({ keepAggregates: true });
    await Promise.race([lockWaiters(pipeline.owner, 1), erasing]);
    mayGoOn.resolve();
    await erasing;
    await running;
    // The erasure takes over the worker's claim, so the next worker to run the replay restarts the fill.
    await worker.run(id, { workers: 1 });
    expect(await worker.show(id)).toMatchObject({ phase: 'waiting', verification: { equal: true, differences: 0 } });
    expect(await findings()).toEqual([]);
    await worker.cancel(id);
  }

  async function replayed(): Promise<object | null | undefined> {
    const worker = replaysOf(pipeline, inSmallChunks(PROJECTIONS, 4));
    const { id, verification, error } = await worker.outcome(await worker.start({ projection: 'all' }));
    await worker.cancel(id);
    return error === null ? verification : { error };
  }

  it.each([
    [false, [], {}],
    [
      true,
      [...SUMMED_FIELDS, 'night_driving_miles', 'trip_start_time'],
      { first_travel_date: '2025-01-16', last_travel_date: '2025-01-24' },
    ],
  ] as const)(
    "clears the driver's paths, trip events, hashes and personal columns, and nothing else (aggregates kept: %s)",
    async (keepAggregates, figures, dates) => {
      await fill();
      const { owner } = pipeline;
      await owner.query("UPDATE stored_event SET traceparent = '00-1-2-01' WHERE fleet_id = 'acme'");
      // The first dead letter had already been settled.
      const settled = "resolution = 'retried', resolved_at = '2025-01-16T08:00:00Z'";
      await owner.query(`UPDATE dead_letter SET ${settled} WHERE dead_letter_id = 1`);
      const bodies = async () =>
        await pipeline.rows<{ own: boolean; trip_events: Buffer | null }>(
          `SELECT position, fleet_id = 'acme' AND (driver_id = $1 OR erased IS NOT NULL) AS own, trail_path, trip_events
           FROM trip_body JOIN stored_event USING (position) ORDER BY position`,
          VICTIM,
        );
      const [bodiesBefore, before] = [await bodies(), await texts('stored_event')];
      expect(bodiesBefore.filter(({ own, trip_events }) => own && trip_events !== null)).toHaveLength(1);
      // The erasure is itself a stored event of the fleet, so only the fleet's last position may change.
      const rowsOfOthers = async () => {
        const rows = await Promise.all(PROJECTIONS.map(async ({ name }) => await texts(name)));
        return withoutVictim(rows.flat().filter((row) => !row.includes(',acme)')));
      };
      const othersBefore = await rowsOfOthers();
      expect((await findings()).length).toBeGreaterThan(30);

      const { position, pseudonym, ...erased } = await erase({ keepAggregates });
      expect(erased).toMatchObject({
        fleet_id: 'acme',
        aggregates_kept: keepAggregates,
        stored_events: VICTIM_RECORDS.length,
        dead_letters: BROKEN.length,
      });
      expect(pseudonym).toMatch(/^erased-[0-9a-f]{16}$/);
      // The personal data is gone even before the projector applies the erasure.
      expect(await findings()).toEqual([]);
      const emptied = { trail_path: Buffer.from(encodeTrailPath([])), trip_events: null };
      expect(await bodies()).toEqual(bodiesBefore.map((body) => ({ ...body, ...(body.own ? emptied : {}) })));
      const order = ['position', 'stored_at', 'source_id', 'source_offset', 'revision', 'effective', 'supersedes'];
      const kept = [...order, 'kind', 'fleet_id', 'driver_id', 'trip_id', 'erased', ...figures];
      const rests = await pipeline.rows(
        `SELECT jsonb_strip_nulls(to_jsonb(event)) - $1::text[] AS rest, count(*) FROM stored_event event
         WHERE erased IS NOT NULL AND kind <> 4 GROUP BY 1`,
        kept,
      );
      expect(rests).toEqual([{ rest: { content_hash: `\\x${'00'.repeat(16)}` }, count: VICTIM_RECORDS.length }]);
      const others = await texts('(SELECT * FROM stored_event WHERE erased IS NULL)');
      expect(others).toHaveLength(OTHERS.length);
      expect(before).toEqual(expect.arrayContaining(others));
      const statuses = 'SELECT raw IS NULL AS erased, resolution FROM dead_letter ORDER BY dead_letter_id';
      expect(await pipeline.rows(statuses)).toEqual([
        ...BROKEN.map((_, index) => ({ erased: true, resolution: index === 0 ? 'retried' : 'discarded' })),
        ...BROKEN_OTHERS.map(() => ({ erased: false, resolution: null })),
      ]);
      const settledThen = "SELECT FROM dead_letter WHERE resolved_at = '2025-01-16T08:00:00Z'";
      expect(await pipeline.rows(settledThen)).toHaveLength(1);

      await projectAll(pipeline);
      expect(await findings()).toEqual([]);
      expect(await replayed()).toMatchObject({ equal: true, differences: 0 });
      expect(await rowsOfOthers()).toEqual(othersBefore);
      expect(await texts('fleets')).toContain(`(${position},acme)`);
      const driver = 'SELECT ordinal, json_strip_nulls(profile::json) AS profile FROM drivers WHERE driver_id = $1';
      const profile = { driver_id: pseudonym, ...dates };
      expect(await pipeline.rows(driver, pseudonym)).toEqual([{ ordinal: 2, profile }]);
      const stored = 'SELECT kind, driver_id, erased FROM stored_event WHERE position = $1';
      expect(await pipeline.rows(stored, position)).toEqual([
        { kind: 4, driver_id: pseudonym, erased: keepAggregates ? 1 : 2 },
      ]);
    },
  );

  it.each(['the pseudonym', 'the id'])(
    'keeps the aggregates under the pseudonym on request, and removes them on a later request for %s',
    async (named) => {
      await fill();
      const figuresOf = async (driver: string) =>
        await pipeline.rows(
          `SELECT date, NULL AS through_date, summary FROM daily_rollups WHERE fleet_id = 'acme' AND driver_id = $1
         UNION ALL SELECT start_date, through_date, totals FROM weekly_rollups WHERE fleet_id = 'acme' AND driver_id = $1 ORDER BY 1, 2, 3`,
          driver,
        );
      const before = await figuresOf(VICTIM);
      expect(before.length).toBeGreaterThan(4);
      const { pseudonym } = await erase({ keepAggregates: true });
      expect(await figuresOf(pseudonym)).toEqual(before);
      expect(await findings()).toEqual([]);
      await projectAll(pipeline);
      expect(await figuresOf(pseudonym)).toEqual(before);
      expect(await replayed()).toMatchObject({ equal: true, differences: 0 });
      expect((await texts('trips')).join()).not.toContain('erased-');

      await expect(erase({ keepAggregates: true })).rejects.toMatchObject({ reason: { code: 'aggregates_kept' } });
      await erase({ driverId: named === 'the id' ? VICTIM : pseudonym });
      expect(await figuresOf(pseudonym)).toEqual([]);
      expect(await replayed()).toMatchObject({ equal: true, differences: 0 });
      await expect(erase()).rejects.toMatchObject({ reason: { code: 'erased' } });
      await expect(erase({ keepAggregates: true })).rejects.toMatchObject({ reason: { code: 'erased' } });
      await expect(erase({ driverId: 'nobody' })).rejects.toMatchObject({ reason: { code: 'unknown' } });
      await expect(erase({ fleetId: 'nowhere' })).rejects.toMatchObject({ reason: { code: 'unknown' } });
    },
  );

  it('is not undone by redeliveries, later revisions or retries, and the counts add up', async () => {
    await fill();
    await deliver(pipeline.ingest, ['{'], 'late');
    const late = await pipeline.rows<{ id: number }>('SELECT max(dead_letter_id) AS id FROM dead_letter');
    const { pseudonym } = await erase();
    const ids = late.map(({ id }) => id);
    const { prepared } = incoming(0, victimTrip(31));
    expect(await retryDeadLetterBatch(pipeline.ingest, ids, () => prepared)).toMatchObject([{ outcome: 'refused' }]);
    await projectAll(pipeline);
    const tables = async () => await Promise.all(PROJECTIONS.map(async ({ name }) => [name, await texts(name)]));
    const before = await tables();
    const again = [
      ...VICTIM_RECORDS,
      victimTrip(1, { revision: 7 }),
      // This correction assigns the trip to another driver, but it belonged to the erased driver when the erasure took
      // place.
      victimTrip(1, { revision: 8, driver_id: 'driver-2' }),
      tripDeleted({ source_trip_id: 'victim-trip-5', revision: 8 }),
      victimTrip(30, { source_trip_id: 'victim-trip-30' }),
      driverProfile({ driver_id: VICTIM, revision: 99 }),
      driverProfile({ driver_id: pseudonym, first_name: 'Vix' }),
      // These records are invalid, but they are about the driver.
      ...BROKEN.slice(0, 2),
    ];
    const { counts } = await deliver(pipeline.ingest, [...again, ...OTHERS], 'again');
    const read = again.length + OTHERS.length;
    expect(counts).toEqual({ read, stored: 0, duplicates: OTHERS.length, dead_letters: again.length });
    const refused = await pipeline.rows(
      `SELECT DISTINCT reason, raw, resolution FROM dead_letter JOIN log_source USING (source_id) WHERE topic = 'again'`,
    );
    expect(refused).toEqual([{ reason: 'driver_erased', raw: null, resolution: 'discarded' }]);
    expect(await findings()).toEqual([]);
    await projectAll(pipeline);
    expect(await tables()).toEqual(before);

    // Records are still accepted for a trip that had moved to another driver, and for the driver with the same id in
    // the other fleet.
    const others = [
      tripProcessed({ source_trip_id: 'moved-away', revision: 3, driver_id: 'driver-2' }),
      tripProcessed({ source_trip_id: 'same-id-2', driver_id: VICTIM, fleet_id: 'other' }),
    ];
    expect((await deliver(pipeline.ingest, others, 'again')).counts).toMatchObject({ stored: 2 });
    await projectAll(pipeline);
    expect(await replayed()).toMatchObject({ equal: true });
  });

  it("accepts a new revision of another driver's trip, even if the erased driver's lower revision came last", async () => {
    await deliver(pipeline.ingest, [
      tripProcessed({ source_trip_id: 'moved-away', revision: 3, driver_id: 'driver-2' }),
      victimTrip(4, { source_trip_id: 'moved-away' }),
      tripProcessed({ source_trip_id: 'moved-here', driver_id: 'driver-2' }),
      victimTrip(6, { source_trip_id: 'moved-here', revision: 3 }),
      tripProcessed({ source_trip_id: 'moved-here', revision: 2, driver_id: 'driver-2' }),
    ]);
    await erase();
    const later = ['moved-away', 'moved-here'].map((source_trip_id) =>
      tripProcessed({ source_trip_id, revision: 4, driver_id: 'driver-2' }),
    );
    expect((await deliver(pipeline.ingest, later, 'again')).counts).toMatchObject({ stored: 1, dead_letters: 1 });
    const again = "SELECT source_trip_id FROM stored_event JOIN log_source USING (source_id) WHERE topic = 'again'";
    expect(await pipeline.rows(again)).toEqual([{ source_trip_id: 'moved-away' }]);
  });

  /**
   * Holds a lock until first an erasure and then `next` are waiting for it, then releases it. Returns both outcomes.
   */
  async function afterErasure<Result>(lock: string, next: () => Promise<Result>) {
    const { owner } = pipeline;
    const inOrder = async () => {
      const erasing = erase();
      erasing.catch(() => {});
      await lockWaiters(owner, 1);
      return await Promise.allSettled([erasing, next()]);
    };
    return await whileLocked(owner, lock, 2, inOrder);
  }

  it('applies to a batch that is waiting while it runs', async () => {
    await fill();
    const deliverTrip = async () => await deliver(pipeline.ingest, [victimTrip(40)], 'waiting');
    expect(await afterErasure('SELECT FROM log_head FOR UPDATE', deliverTrip)).toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled', value: { counts: { stored: 0, dead_letters: 1 } } },
    ]);
    expect(await findings()).toEqual([]);
  });

  it('is refused if another erasure of the driver commits while it is waiting', async () => {
    await fill();
    const eraseAgain = async () => await erase({ keepAggregates: true });
    expect(await afterErasure('SELECT FROM generation FOR UPDATE', eraseAgain)).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { reason: { code: 'erased' } } },
    ]);
    expect(await pipeline.rows('SELECT keep_aggregates FROM erasure')).toEqual([{ keep_aggregates: false }]);
    expect(await replayed()).toMatchObject({ equal: true, differences: 0 });
  });

  it('lets the projector continue while it waits for a transaction that builds a generation', async () => {
    await fill();
    const project = async () => {
      await lockWaiters(pipeline.owner, 1);
      const locked = pipeline.owner.query('SELECT FROM generation FOR UPDATE NOWAIT');
      await expect(locked).resolves.toMatchObject({ rowCount: PROJECTIONS.length });
      await deliverAndProject(pipeline, [tripProcessed({ source_trip_id: 'meanwhile', tracking_id: 'meanwhile' })]);
      expect((await texts('trips')).join()).toContain('meanwhile');
    };
    await whileLocked(pipeline.owner, BEGIN_BUILDING, project, async () => await erase());
    expect(await findings()).toEqual([]);
  });

  it.each(['drivers', 'trips'])('removes the driver from a replay of %s during its fill', async (name) => {
    await eraseBesideReplay((pause) =>
      inSmallChunks([projectionNamed(name)], 3).map((projection) =>
        watchedChunks(projection, async ({ after }) => {
          if (after >= 9) await pause();
        }),
      ),
    );
  });

  it('removes the driver from the second pass of a fill, in which chunk boundaries lie between drivers', async () => {
    await eraseBesideReplay((pause) => {
      // Both rollups share the fill.
      const { fill: shared } = withStages(projectionNamed('daily_rollups'), (stage, index) => ({
        ...stage,
        run: async (...parameters) => {
          if (index === 1) await pause();
          await stage.run(...parameters);
        },
      }));
      return ['daily_rollups', 'weekly_rollups'].map((name) => ({ ...projectionNamed(name), fill: shared }));
    });
  });

  it('removes the driver from a replay that catches up with stored events that came during its fill', async () => {
    await eraseBesideReplay((pause) => {
      const trips = projectionNamed('trips');
      const filled = watchedChunks(trips, async () => void (await deliverAndProject(pipeline, [victimTrip(40)])));
      const apply: Projection['apply'] = async (...parameters) => {
        await trips.apply(...parameters);
        await pause();
      };
      return [{ ...filled, apply }];
    });
  });

  it('takes over the claims of running replays before it reads the reports, so that it misses none', async () => {
    await fill();
    const worker = replaysOf(pipeline, PROJECTIONS);
    const verified = await worker.startAndRun({ projection: 'daily_rollups' });
    const running = await worker.start({ projection: 'trips' });
    const claimed = await claimReplay(pipeline.projector, running);
    const lockReplay = (id: number) => `SELECT FROM replay WHERE replay_id = ${id} FOR UPDATE`;
    const expectRevoked = async () => {
      // The erasure waits for the first report.
      await lockWaiters(pipeline.owner, 1);
      await expect(pipeline.owner.query(`${lockReplay(running)} NOWAIT`)).rejects.toMatchObject({ code: '55P03' });
    };
    await whileLocked(pipeline.owner, lockReplay(verified), expectRevoked, async () => await erase());
    expect(await findReplay(pipeline.projector, running)).not.toMatchObject({ epoch: claimed });
    // The next process does not have to wait until the lease expires.
    expect(await claimReplay(pipeline.projector, running)).toBeGreaterThan(claimed ?? 0);
    expect(await findings()).toEqual([]);
  });

  it('is refused and changes nothing if a generation belongs to an unknown projection', async () => {
    await fill();
    const earlier = await findings();
    const known = PROJECTIONS.filter(({ name }) => name !== 'trips');
    await expect(erase({}, known)).rejects.toThrow('Generation 1 belongs to projection trips, which this release');
    expect(await findings()).toEqual(earlier);
    await pipeline.owner.query("UPDATE generation SET dropped_at = now(), live = false WHERE projection = 'trips'");
    expect(await erase({}, known)).toMatchObject({ stored_events: VICTIM_RECORDS.length });
  });

  it('leaves each table as a fold of the log would produce it, however far behind the projector is', async () => {
    const records = [...VICTIM_RECORDS, ...OTHERS];
    for (let applied = 0; applied <= records.length; applied += 3) {
      for (const keepAggregates of [true, false]) {
        const fleet_id = `behind-${applied}-${keepAggregates}`;
        const ofFleet = records.map((record) => ({ ...record, fleet_id }));
        await deliverAndProject(pipeline, ofFleet.slice(0, applied));
        await deliver(pipeline.ingest, ofFleet.slice(applied));
        await erase({ fleetId: fleet_id, keepAggregates });
        await projectAll(pipeline, PROJECTIONS, () => 3);
      }
    }
    expect(await replayed()).toMatchObject({ equal: true, differences: 0 });
    expect(await findings()).toEqual([]);
  });

  // On other systems, the `script` command has different options.
  it.runIf(process.platform === 'linux')(
    'erases nothing if the reply to the question on a terminal is y or Ctrl-C',
    async () => {
      await fill();
      const command = ['drivers', 'erase', '--fleet', 'acme', '--driver', VICTIM, '--reason', 'case 812'];
      const keeping = [...command, '--keep-aggregates'];
      const answered = async (answer: string) =>
        await runOnTerminal(keeping, { DATABASE_URL: pipeline.url }, { question: 'Type yes to continue: ', answer });
      expect(await answered('y')).toEqual({ code: 1, output: expect.stringContaining('Nothing was erased.') });
      const { code, output } = await answered('\u0003');
      expect(code).toBe(128 + 2);
      expect(output).toContain('and the daily and weekly figures will be kept. Type yes');
      expect(output).toContain('milepost: Stopped by SIGINT. Nothing was erased.');
      expect((await pipeline.directory.query('SELECT action FROM operator_action')).rows).toEqual([]);
      const kept = await run([...keeping, '--yes'], { DATABASE_URL: pipeline.url });
      expect(kept).toMatchObject({ code: 0, stderr: '' });
      expect(kept.stdout).toMatch(
        /The driver is now called (erased-\S+) in the fleet acme\..* The daily and weekly figures are kept under \1\. /,
      );
    },
  );
});
