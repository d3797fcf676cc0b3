import { exactJson } from '@milepost/domain/exact-json';
import { inTransaction } from '@milepost/postgres';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIST_ENTRY, unpackListEntries } from '../../../packages/core/projections/trips/list-entry.ts';
import { anyEventSummary } from '../../support/arbitrary-records.ts';
import { perSuite, untilTestEnds } from '../../support/fixtures.ts';
import { openFold, projectionNamed } from '../../support/fold.ts';
import { DEFAULT_TRIP_START, driverProfile, tripProcessed } from '../../support/records.ts';
import { itRepeatsWithoutEffect } from '../../support/repeat-suite.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const SEED = Math.floor(Math.random() * 1e9);

const day = (date: string) => Date.parse(`${date}T12:00:00Z`);

/** Trips are 0.1 miles long, so that sums in binary floating point would differ. */
const trip = (fleet_id: string, source_trip_id: string, trip_start_time: number, more = {}) =>
  tripProcessed({ fleet_id, source_trip_id, trip_start_time, distance_miles: 0.1, ...more });

describeWithPostgres('the projection', () => {
  describe('drivers', () => {
    const fold = perSuite(() => openFold(projectionNamed('drivers')));

    it('updates the travel dates when a batch moves the only trip on the first or last day', async () => {
      const travelled = async () =>
        await fold.rows(
          `SELECT profile::json ->> 'first_travel_date' AS first, profile::json ->> 'last_travel_date' AS last
           FROM drivers WHERE fleet_id = $1`,
          'moved',
        );
      await fold.take(trip('moved', 'first', day('2025-01-15')), trip('moved', 'last', day('2025-01-24')));
      await fold.take(
        trip('moved', 'first', day('2025-01-17'), { revision: 2 }),
        trip('moved', 'between', day('2025-01-19')),
      );
      expect(await travelled()).toEqual([{ first: '2025-01-17', last: '2025-01-24' }]);
      await fold.take(trip('moved', 'last', day('2025-01-21'), { revision: 2 }));
      expect(await travelled()).toEqual([{ first: '2025-01-17', last: '2025-01-21' }]);
    });

    itRepeatsWithoutEffect(() => fold);
  });

  it("fleets contains each fleet's last position, in whatever order a replay runs its chunks", async () => {
    const fleets = projectionNamed('fleets');
    const fold = untilTestEnds(await openFold(fleets));
    const one = { fleet_id: 'one' };
    await fold.take(tripProcessed(one), driverProfile(), driverProfile(one), tripProcessed(), tripProcessed());
    const { owner, projector } = fold.pipeline;
    const read = async () => (await owner.query('SELECT fleet_id, position FROM fleets ORDER BY fleet_id')).rows;
    const expected = [
      { fleet_id: 'acme', position: 4 },
      { fleet_id: 'one', position: 3 },
    ];
    expect(await read()).toEqual(expected);
    await owner.query('DELETE FROM fleets_1');
    for (const after of [3, 2, 1, 0]) {
      const range = { after, through: after + 1 };
      await inTransaction(projector, async (transaction) => await fleets.apply(transaction, range, 'fleets_1'));
    }
    expect(await read()).toEqual(expected);
  });

  describe('trips', () => {
    const fold = perSuite(() => openFold(projectionNamed('trips')));

    it(`renders every number in a trip as received, and the sign of -0 in each coordinate (seed ${SEED})`, async () => {
      const figure = fc.oneof(
        fc.constant(0),
        fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
        fc.integer({ min: 1 }).map((n) => n / 1e6),
      );
      const coordinate = fc.oneof(fc.constantFrom(-0, 0, 1e-7), fc.double({ min: -180, max: 180, noNaN: true }));
      const arbitrary = fc.record({
        trip_id: fc.uuid().map((id) => id.replaceAll('-', '')),
        trip_start_time: fc.constant(DEFAULT_TRIP_START),
        trip_end_time: fc.constant(DEFAULT_TRIP_START + 1),
        duration_seconds: figure,
        distance_miles: figure,
        insurance_period: fc.constantFrom(null, 1, 2, 3),
        start_latitude: coordinate,
        start_longitude: coordinate,
        end_latitude: coordinate,
        end_longitude: coordinate,
        night_driving_seconds: figure,
        highway_miles: figure,
        night_driving_miles: figure,
        event_summary: anyEventSummary(fc.nat(2 ** 31), figure),
      });
      const sql = `SELECT ${LIST_ENTRY} AS entry FROM json_populate_record(NULL::stored_event, $1)`;
      await fc.assert(
        fc.asyncProperty(arbitrary, async ({ trip_id, ...received }) => {
          const { event_summary, ...figures } = received;
          const { rows } = await fold.pipeline.owner.query<{ entry: string }>(sql, [
            exactJson({ trip_id, ...figures, ...event_summary }),
          ]);
          const rendered: unknown = JSON.parse(unpackListEntries(rows[0]?.entry ?? '', 'driver-1'));
          expect(rendered).toEqual({ trip_id, driver_id: 'driver-1', ...received });
        }),
        { numRuns: 500, seed: SEED },
      );
    });

    itRepeatsWithoutEffect(() => fold);

    it('hides the body of each hidden revision from the API, whatever the query', async () => {
      const { api, owner } = fold.pipeline;
      await fold.take(...[1, 2, 3, 4].map((revision) => tripProcessed({ fleet_id: 'hidden', revision })));
      const hidden = 'SELECT position FROM trip_body EXCEPT SELECT position FROM trips';
      expect((await owner.query(hidden)).rowCount).toBeGreaterThan(2);
      await owner.query(
        `UPDATE trip_body SET trail_path = 'hidden', trip_events = 'hidden' WHERE position IN (${hidden})`,
      );
      // If PostgreSQL evaluated the condition on a hidden body, the division would fail.
      const conditions = ['trail_path', 'trip_events'].map((column) => `1 / (octet_length(${column}) - 6) > 9`);
      const text = `SELECT trail_path, trip_events FROM trips WHERE ${conditions.join(' OR ')}`;
      expect((await api.query(text)).rows).toEqual([]);
    });
  });

  describe('daily_rollups', () => {
    const fold = perSuite(() => openFold(projectionNamed('daily_rollups')));

    itRepeatsWithoutEffect(() => fold);
  });

  describe('weekly_rollups', () => {
    const fold = perSuite(() => openFold(projectionNamed('weekly_rollups')));

    const weeks = async (fleetId: string) => {
      const { rows } = await fold.pipeline.owner.query<Record<string, string>>(
        `SELECT driver_id, start_date, through_date, totals::json ->> 'trip_count' AS trips,
           totals::json ->> 'distance_miles' AS miles, totals::json ->> 'end_date' AS end_date
         FROM weekly_rollups WHERE fleet_id = $1 ORDER BY driver_id, through_date`,
        [fleetId],
      );
      return rows.map((row) => Object.values(row).join(' '));
    };

    it('keeps exact sums that no double can represent, even if the rounded totals stay the same', async () => {
      const tiny = (revision: number, distance_miles: number) =>
        trip('huge', 'tiny', day('2025-01-15'), { revision, distance_miles });
      await fold.take(trip('huge', 'huge', day('2025-01-15'), { distance_miles: 1e16 }), tiny(1, 0.5));
      const rows = async () => await fold.rows('SELECT sums, totals FROM weekly_rollups WHERE fleet_id = $1', 'huge');
      const [before] = await rows();
      await fold.take(tiny(2, 0.25));
      expect(await rows()).toEqual([{ ...Object(before), sums: expect.stringContaining('{2,10000000000000000.25,') }]);
    });

    it('does not write a row that does not change', async () => {
      await fold.take(trip('same', 'a', day('2025-01-15')));
      const versions = async () =>
        await fold.rows('SELECT ctid::text, xmin::text FROM weekly_rollups_1 WHERE fleet_id = $1', 'same');
      const before = await versions();
      await fold.applyAgain();
      expect(before).toHaveLength(1);
      expect(await versions()).toEqual(before);
    });

    it('continues from the previous day with trips, whichever days of a week a batch contains', async () => {
      for (const date of ['2025-01-13', '2025-01-14', '2025-01-16', '2025-01-18'])
        await fold.take(trip('turns', date, day(date)));
      const expected = [
        'driver-1 2025-01-13 2025-01-13 1 0.1 2025-01-19',
        'driver-1 2025-01-13 2025-01-14 2 0.2 2025-01-19',
        'driver-1 2025-01-13 2025-01-16 3 0.3 2025-01-19',
        'driver-1 2025-01-13 2025-01-18 4 0.4 2025-01-19',
      ];
      expect(await weeks('turns')).toEqual(expected);
      await fold.take(trip('turns', 'late', day('2025-01-17')), trip('turns', 'last', day('2025-01-19')));
      expect(await weeks('turns')).toEqual([
        ...expected.slice(0, 3),
        'driver-1 2025-01-13 2025-01-17 4 0.4 2025-01-19',
        'driver-1 2025-01-13 2025-01-18 5 0.5 2025-01-19',
        'driver-1 2025-01-13 2025-01-19 6 0.6 2025-01-19',
      ]);
    });

    it('counts each day once when a batch adds to several existing days', async () => {
      for (const date of ['2025-01-14', '2025-01-16']) await fold.take(trip('again', date, day(date)));
      await fold.take(trip('again', 'more', day('2025-01-14')), trip('again', 'most', day('2025-01-16')));
      expect(await weeks('again')).toEqual([
        'driver-1 2025-01-13 2025-01-14 2 0.2 2025-01-19',
        'driver-1 2025-01-13 2025-01-16 4 0.4 2025-01-19',
      ]);
      // This is one stored event that changes two days. If it failed, the engine would have no batch to halve.
      await fold.take(trip('again', 'more', day('2025-01-16'), { revision: 2 }));
      expect(await weeks('again')).toEqual([
        'driver-1 2025-01-13 2025-01-14 1 0.1 2025-01-19',
        'driver-1 2025-01-13 2025-01-16 4 0.4 2025-01-19',
      ]);
    });

    itRepeatsWithoutEffect(() => fold);
  });
});
