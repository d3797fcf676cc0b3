import { exactJson } from '@milepost/domain/exact-json';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LIST_ENTRY, listEntryJson, unpackListEntries } from '../../../packages/core/projections/trips/list-entry.ts';
import { type Fold, openFold, projectionNamed } from '../../support/fold.ts';
import { DEFAULT_TRIP_START, driverProfile, tripDeleted, tripProcessed } from '../../support/records.ts';
import { itRepeatsWithoutEffect } from '../../support/repeat-suite.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const SEED = Math.floor(Math.random() * 1e9);

describeWithPostgres('the trips projection', () => {
  let fold: Fold;
  beforeAll(async () => {
    fold = await openFold(projectionNamed('trips'));
  });
  afterAll(async () => await fold.pipeline.close());

  async function trips(fleetId: string): Promise<unknown> {
    const sql = `SELECT driver_id, tracking_id, trip_start_time, trip_end_time, ${listEntryJson('trips')}::json AS entry
                 FROM trips WHERE fleet_id = $1 ORDER BY trip_start_time`;
    return await fold.rows(sql, fleetId);
  }

  it('lists a trip with exactly the numbers that the pipeline reported', async () => {
    const trip = tripProcessed({
      fleet_id: 'new',
      tracking_id: 'track',
      insurance_period: 3,
      duration_seconds: 0.1 + 0.2,
      distance_miles: 1e-7,
      start_latitude: -0.1,
    });
    await fold.take(trip);
    const {
      kind: _,
      fleet_id: __,
      source_trip_id: ___,
      revision: ____,
      tracking_id,
      events,
      trail_path,
      ...entry
    } = trip;
    expect(await trips('new')).toEqual([
      {
        driver_id: 'driver-1',
        tracking_id,
        trip_start_time: DEFAULT_TRIP_START,
        trip_end_time: DEFAULT_TRIP_START + 1_800_000,
        entry: { trip_id: expect.stringMatching(/^[0-9a-f]{32}$/), ...entry },
      },
    ]);
    expect([events.length, trail_path.length]).toEqual([2, 5]);
  });

  it('replaces a trip completely with its higher revision, even if the time and the driver differ', async () => {
    const fleet_id = 'moved';
    await fold.take(
      tripProcessed({ fleet_id, tracking_id: 'old' }),
      tripProcessed({ fleet_id, source_trip_id: 'stays' }),
    );
    const trip_start_time = DEFAULT_TRIP_START + 86_400_000;
    await fold.take(
      tripProcessed({ fleet_id, revision: 2, driver_id: 'driver-2', trip_start_time, distance_miles: 7 }),
    );
    expect(await trips(fleet_id)).toMatchObject([
      { driver_id: 'driver-1', trip_start_time: DEFAULT_TRIP_START, tracking_id: null },
      {
        driver_id: 'driver-2',
        trip_start_time,
        tracking_id: null,
        entry: { driver_id: 'driver-2', distance_miles: 7 },
      },
    ]);
  });

  it('ignores a late revision', async () => {
    await fold.take(tripProcessed({ fleet_id: 'late', revision: 3, distance_miles: 3 }));
    await fold.take(tripProcessed({ fleet_id: 'late', revision: 2, distance_miles: 2, driver_id: 'other' }));
    expect(await trips('late')).toMatchObject([{ driver_id: 'driver-1', entry: { distance_miles: 3 } }]);
  });

  it('removes a deleted trip and restores it with a higher revision', async () => {
    await fold.take(tripProcessed({ fleet_id: 'gone' }));
    await fold.take(tripDeleted({ fleet_id: 'gone' }));
    expect(await trips('gone')).toEqual([]);
    await fold.take(tripProcessed({ fleet_id: 'gone', revision: 3 }));
    expect(await trips('gone')).toHaveLength(1);
  });

  it('ignores a deletion that arrives before its trip, and ignores profiles', async () => {
    await fold.take(tripDeleted({ fleet_id: 'before', revision: 5 }), driverProfile({ fleet_id: 'before' }));
    await fold.take(tripProcessed({ fleet_id: 'before', revision: 4 }));
    expect(await trips('before')).toEqual([]);
  });

  it(`renders every number of a trip as it came, and the sign of -0 in each coordinate (seed ${SEED})`, async () => {
    const count = fc.nat(2 ** 31);
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
      event_summary: fc.record({
        phone_use_count: count,
        rapid_acceleration_count: count,
        hard_brake_count: count,
        overspeeding_count: count,
        phone_use_time_seconds: figure,
        overspeeding_time_seconds: figure,
      }),
    });
    const sql = `SELECT ${LIST_ENTRY} AS entry FROM json_populate_record(NULL::stored_event, $1)`;
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ trip_id, ...trip }) => {
        const { event_summary, ...figures } = trip;
        const { rows } = await fold.pipeline.owner.query<{ entry: string }>(sql, [
          exactJson({ trip_id, ...figures, ...event_summary }),
        ]);
        const rendered: unknown = JSON.parse(unpackListEntries(rows[0]?.entry ?? '', 'driver-1'));
        expect(rendered).toEqual({ trip_id, driver_id: 'driver-1', ...trip });
      }),
      { numRuns: 500, seed: SEED },
    );
  });

  itRepeatsWithoutEffect(() => fold);
});
