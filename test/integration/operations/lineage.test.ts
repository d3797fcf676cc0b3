import { tripId } from '@milepost/domain/trip-id';
import { readHeadPosition } from '@milepost/event-log/head';
import { setAside } from '@milepost/operations/positions';
import { driverDayTrace, tripTrace } from '@milepost/operations/trace';
import { PROJECTIONS } from '@milepost/projections';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eraseDriver } from '../../../packages/operator/erasure/erase-driver.ts';
import { runOperation } from '../../support/operations.ts';
import { deliver, deliverAndProject, projectAll } from '../../support/pipeline.ts';
import { describeWithPipeline } from '../../support/pipeline-suites.ts';
import { DEFAULT_TRIP_START, driverProfile, tripDeleted, tripProcessed } from '../../support/records.ts';
import { workerOf } from '../../support/replay.ts';

const DAY = 86_400_000;
const DATE = '2025-01-15';
const NEXT_DATE = '2025-01-16';

describeWithPipeline('lineage', (pipeline) => {
  const traceTrip = async (trip_id: string) => await runOperation(tripTrace, pipeline.operator, { trip_id });
  const traceDriverDay = async (driver_id: string, date = DATE) =>
    await runOperation(driverDayTrace, pipeline.operator, { fleet_id, driver_id, date });
  /** Each test has its own fleet. */
  let fleet_id = '';
  let tests = 0;
  beforeEach(() => {
    tests += 1;
    fleet_id = `fleet-${tests}`;
  });
  const trip = (overrides: Parameters<typeof tripProcessed>[0] = {}) => tripProcessed({ fleet_id, ...overrides });

  async function servedTripCount(driverId: string, date: string): Promise<number> {
    const sql = 'SELECT summary FROM daily_rollups WHERE fleet_id = $1 AND driver_id = $2 AND date = $3';
    const [row] = await pipeline.rows<{ summary: string }>(sql, fleet_id, driverId, date);
    return row ? JSON.parse(row.summary).trip_count : 0;
  }

  it("shows a trip's whole chain, with its current event, sources, duplicates and dead letters", async () => {
    await projectAll(pipeline);
    const { headPosition: first } = await deliver(pipeline.ingest, [trip({ revision: 2 })], 'chain');
    await deliver(pipeline.ingest, [
      trip({ revision: 3, driver_id: 'driver-2' }),
      trip({ revision: 3, distance_miles: 99 }),
      trip({ source_trip_id: 'trip-2', tracking_id: 'trip-1' }),
      `{"fleet_id":"${fleet_id}","source_trip_id":"trip-1",`,
      { ...trip(), source_trip_id: 'trip-3', note: 'trip-1', distance_miles: -1 },
    ]);
    await deliver(pipeline.ingest, [tripDeleted({ fleet_id, revision: 1 }), trip({ revision: 2 })], 'chain-other');
    const trace = await traceTrip(tripId(fleet_id, 'trip-1'));
    const current_position = first + 1;
    expect(trace).toMatchObject({
      ...{ fleet_id, source_trip_id: 'trip-1', current_position, deleted: false },
      ...{ answer_position: first - 1, incomplete: [] },
    });
    expect(trace.stored_events).toMatchObject([
      {
        ...{ position: first, kind: 'trip.processed', revision: 2, state: 'superseded', driver_id: 'driver-1' },
        ...{ effective: true, supersedes: null, superseded_by: current_position },
        ...{ topic: 'chain', partition: 0, offset: 0, stored_at: expect.any(Date) },
      },
      {
        ...{ position: current_position, revision: 3, state: 'current', supersedes: first, superseded_by: null },
        driver_id: 'driver-2',
      },
      // The deletion arrives last, but it is an earlier revision.
      { position: first + 3, revision: 1, state: 'without_effect', effective: false, topic: 'chain-other', offset: 0 },
    ]);
    expect(trace.duplicates).toMatchObject([{ position: first, topic: 'chain-other', partition: 0, offset: 1 }]);
    expect(trace.dead_letters.map(({ reason, field, match }) => [reason, field, match])).toEqual([
      ['revision_conflict', '/revision', 'parsed'],
      ['invalid_json', null, 'text'],
    ]);
  });

  it('marks what is set aside and gives the reason, but does not show it as current or count it', async () => {
    const driver_id = 'set aside';
    const { headPosition } = await deliver(pipeline.ingest, [
      driverProfile({ fleet_id, driver_id }),
      trip({ driver_id, source_trip_id: 'shown' }),
      trip({ driver_id, source_trip_id: 'aside' }),
      trip({ driver_id, source_trip_id: 'gone' }),
      tripDeleted({ fleet_id, source_trip_id: 'gone' }),
    ]);
    for (const position of [headPosition - 4, headPosition - 2, headPosition]) {
      await runOperation(setAside, pipeline.operator, { position, reason: 'It cannot be rendered.' });
    }
    await projectAll(pipeline);
    const trace = await traceTrip(tripId(fleet_id, 'aside'));
    const aside = { state: 'set_aside', set_aside: 'It cannot be rendered.' };
    expect(trace).toMatchObject({ current_position: null, deleted: false, stored_events: [aside] });
    // A deletion keeps its effect.
    const deleted = await traceTrip(tripId(fleet_id, 'gone'));
    expect(deleted).toMatchObject({ current_position: headPosition, deleted: true });
    const day = await traceDriverDay(driver_id);
    expect(day).toMatchObject({ trip_count: 1, profile_events: [aside] });
    expect(day.trip_count).toBe(await servedTripCount(driver_id, DATE));
  });

  it('shows a deletion as current, and the position up to which responses reflect the log', async () => {
    await projectAll(pipeline);
    await workerOf(pipeline.projector, PROJECTIONS).startAndRun({ projection: 'trips', promote: true });
    // The replaced generation is kept, but it does not advance.
    await deliverAndProject(pipeline, [driverProfile({ fleet_id })]);
    const answer_position = await readHeadPosition(pipeline.operator);
    await deliver(pipeline.ingest, [trip(), tripDeleted({ fleet_id })]);
    const trace = await traceTrip(tripId(fleet_id, 'trip-1'));
    expect(trace).toMatchObject({ deleted: true, answer_position, current_position: answer_position + 2 });
    expect(trace.stored_events.at(-1)).toMatchObject({ kind: 'trip.deleted', driver_id: null, trip_start_time: null });
  });

  it('finds dead letters whose ids are escaped in their JSON', async () => {
    const source_trip_id = 'Zürich/🚚 "7"';
    const ascii = JSON.stringify({ ...trip({ source_trip_id, revision: 2 }), distance_miles: -1 })
      .replaceAll('/', '\\/')
      .replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    await deliver(pipeline.ingest, [trip({ source_trip_id }), ascii]);
    const { dead_letters } = await traceTrip(tripId(fleet_id, source_trip_id));
    expect(dead_letters).toMatchObject([{ reason: 'invalid_field', field: '/distance_miles', match: 'parsed' }]);
  });

  it("shows all stored events that determine a driver's day, and counts the same trips as its summary", async () => {
    const other = { source_trip_id: 'moved-driver' };
    const records = [
      driverProfile({ fleet_id }),
      trip({ source_trip_id: 'stays' }),
      trip(other),
      // The trace groups the events by trip, and lists the trips in the order of their first events.
      trip({ source_trip_id: 'stays', revision: 2, distance_miles: 9 }),
      trip({ ...other, revision: 2, driver_id: 'driver-2' }),
      trip({ source_trip_id: 'moved-day' }),
      trip({ source_trip_id: 'moved-day', revision: 2, trip_start_time: DEFAULT_TRIP_START + DAY }),
      trip({ source_trip_id: 'deleted' }),
      tripDeleted({ fleet_id, source_trip_id: 'deleted' }),
      trip({ source_trip_id: 'first-ms', trip_start_time: Date.UTC(2025, 0, 15) }),
      trip({ source_trip_id: 'next-day', trip_start_time: Date.UTC(2025, 0, 16) }),
      trip({ source_trip_id: 'of-another', driver_id: 'driver-2' }),
      driverProfile({ fleet_id, revision: 2, alias: 'Ada' }),
      trip({ source_trip_id: 'stays' }),
      driverProfile({ fleet_id }),
      { ...trip({ source_trip_id: 'refused' }), distance_miles: -1 },
      { ...trip({ source_trip_id: 'refused', trip_start_time: DEFAULT_TRIP_START + DAY }), distance_miles: -1 },
      { ...tripDeleted({ fleet_id, source_trip_id: 'stays' }), revision: 'last' },
      { ...driverProfile({ fleet_id }), revision: 3, email: 7 },
    ];
    const { counts } = await deliver(pipeline.ingest, records, 'day');
    expect(counts).toEqual({ read: 19, stored: 13, duplicates: 2, dead_letters: 4 });
    await projectAll(pipeline);

    const trace = await traceDriverDay('driver-1');
    const shown = trace.stored_events.map((event) => [
      event.source_trip_id,
      event.revision,
      event.state,
      event.counted,
    ]);
    expect(shown).toEqual([
      ['stays', 1, 'superseded', false],
      ['stays', 2, 'current', true],
      ['moved-driver', 1, 'superseded', false],
      ['moved-driver', 2, 'current', false],
      ['moved-day', 1, 'superseded', false],
      ['moved-day', 2, 'current', false],
      ['deleted', 1, 'superseded', false],
      ['deleted', 2, 'current', false],
      ['first-ms', 1, 'current', true],
    ]);
    expect(trace.profile_events.map(({ kind, revision, state }) => [kind, revision, state])).toEqual([
      ['driver.profile', 1, 'superseded'],
      ['driver.profile', 2, 'current'],
    ]);
    expect(trace.duplicates.map(({ offset }) => offset)).toEqual([13, 14]);
    expect(trace.dead_letters.map(({ offset }) => offset)).toEqual([15, 17, 18]);
    const answer_position = await readHeadPosition(pipeline.operator);
    expect(trace).toMatchObject({ trip_count: 2, incomplete: [], answer_position });
    expect(await servedTripCount('driver-1', DATE)).toBe(2);
    for (const [driver, date] of [
      ['driver-1', NEXT_DATE],
      ['driver-2', DATE],
      ['driver-2', NEXT_DATE],
    ] as const) {
      const { trip_count } = await traceDriverDay(driver, date);
      expect(trip_count, `${driver} ${date}`).toBe(await servedTripCount(driver, date));
    }
  });

  it("shows an erased driver's kept trips under the pseudonym, without the pipeline's ids", async () => {
    await deliverAndProject(pipeline, [
      trip({ driver_id: 'erased', source_trip_id: 'kept' }),
      trip({ driver_id: 'erased', source_trip_id: 'deleted' }),
      tripDeleted({ fleet_id, source_trip_id: 'deleted' }),
      `{"fleet_id":"${fleet_id}","source_trip_id":"null",`,
    ]);
    const request = { fleetId: fleet_id, driverId: 'erased', reason: 'case 812', keepAggregates: true };
    const { pseudonym, position } = await eraseDriver(pipeline.eraser, PROJECTIONS, request);
    const trace = await traceDriverDay(pseudonym);
    expect(trace).toMatchObject({ trip_count: 1, dead_letters: [], duplicates: [] });
    expect(trace.stored_events.map((event) => [event.kind, event.source_trip_id, event.state, event.counted])).toEqual([
      ['trip.processed', null, 'current', true],
      ['trip.processed', null, 'superseded', false],
      ['trip.deleted', null, 'current', false],
    ]);
    expect(await servedTripCount(pseudonym, DATE)).toBe(1);
    expect(await traceTrip(tripId(fleet_id, 'deleted'))).toMatchObject({
      ...{ source_trip_id: null, deleted: true, current_position: position - 1, dead_letters: [] },
    });
  });

  it('traces a driver who appears only in dead letters', async () => {
    await deliver(pipeline.ingest, [{ ...trip({ driver_id: 'refused' }), distance_miles: -1 }]);
    const trace = await traceDriverDay('refused');
    expect(trace).toMatchObject({ trip_count: 0, stored_events: [], dead_letters: [{ reason: 'invalid_field' }] });
  });

  it('names the list that was cut off', async () => {
    await deliver(pipeline.ingest, [trip()], 'cut');
    const again = Array.from({ length: 1_001 }, () => trip());
    await deliver(pipeline.ingest, again, 'cut');
    const { duplicates, incomplete } = await traceTrip(tripId(fleet_id, 'trip-1'));
    expect(incomplete).toEqual(['duplicates']);
    expect(duplicates.map(({ offset }) => offset)).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 2));
  });

  describe('with many dead letters', () => {
    afterEach(async () => void (await pipeline.owner.query('DELETE FROM dead_letter')));

    /** Stores a trip and a refused revision of that trip. There are no other dead letters afterwards. */
    async function refuseRevision(): Promise<string> {
      await pipeline.owner.query('DELETE FROM dead_letter');
      await deliver(pipeline.ingest, [trip(), { ...trip({ revision: 2 }), distance_miles: -1 }]);
      return tripId(fleet_id, 'trip-1');
    }

    /** Repeats the only dead letter in a fleet. */
    async function repeatDeadLetter(times: number, fleet = fleet_id): Promise<void> {
      await pipeline.owner.query(
        `INSERT INTO dead_letter (received_at, source_id, source_offset, reason, field, message, raw, fleets, names)
          SELECT received_at, source_id, source_offset + n, reason, field, message,
            convert_to(replace(convert_from(raw, 'UTF8'), $2, $3), 'UTF8'), ARRAY[$3], names
          FROM (SELECT * FROM dead_letter ORDER BY dead_letter_id LIMIT 1) letter, generate_series(1, $1::integer) n`,
        [times, fleet_id, fleet],
      );
    }

    async function found(trip_id: string) {
      const { dead_letters, incomplete } = await traceTrip(trip_id);
      return { found: dead_letters.length, first: dead_letters[0]?.offset, incomplete };
    }

    it.each([
      ['shows the newest 500', 500, undefined, 500],
      ['searches the newest 20,000', 20_000, 'other-fleet', 1],
    ])('%s, and names their list if there are more', async (_what, most, fleet, shown) => {
      const id = await refuseRevision();
      const { first } = await found(id);
      await repeatDeadLetter(most - 1, fleet);
      expect(await found(id)).toEqual({ found: shown, first, incomplete: [] });
      await repeatDeadLetter(1, fleet);
      const later = fleet === undefined ? { found: 500, first: Number(first) + 1 } : { found: 0, first: undefined };
      expect(await found(id)).toEqual({ ...later, incomplete: ['dead_letters'] });
    });
  });

  it('searches dead letters for 50 trips of a day, and names their list if the day has more', async () => {
    const tripsOf = (count: number) => Array.from({ length: count }, (_, n) => trip({ source_trip_id: `trip-${n}` }));
    await deliver(pipeline.ingest, tripsOf(50));
    expect(await traceDriverDay('driver-1')).toMatchObject({ incomplete: [] });
    await deliver(pipeline.ingest, tripsOf(51));
    expect(await traceDriverDay('driver-1')).toMatchObject({ incomplete: ['dead_letters'] });
  });

  it('shows 5,000 stored events of a trip, a day and a profile, and names the list if there are more', async () => {
    const revisions = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index).flatMap((revision) => [
        trip({ revision }),
        driverProfile({ fleet_id, revision }),
      ]);
    const trace = async () => {
      const ofTrip = await traceTrip(tripId(fleet_id, 'trip-1'));
      const ofDay = await traceDriverDay('driver-1');
      const lists = [ofTrip.stored_events, ofDay.stored_events, ofDay.profile_events];
      return { lengths: lists.map(({ length }) => length), incomplete: [ofTrip.incomplete, ofDay.incomplete] };
    };
    await deliver(pipeline.ingest, revisions(1, 5_000));
    expect(await trace()).toEqual({ lengths: [5_000, 5_000, 5_000], incomplete: [[], []] });
    await deliver(pipeline.ingest, revisions(5_001, 5_001));
    const incomplete = [['stored_events'], ['stored_events', 'profile_events']];
    expect(await trace()).toEqual({ lengths: [5_000, 5_000, 5_000], incomplete });
  });
});
