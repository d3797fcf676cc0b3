import { afterAll, beforeAll, expect, it } from 'vitest';
import { listEntryJson } from '../../../packages/core/projections/trips/list-entry.ts';
import { type Fold, openFold, projectionNamed } from '../../support/fold.ts';
import { DEFAULT_TRIP_START, driverProfile, tripDeleted, tripProcessed } from '../../support/records.ts';
import { itRepeatsWithoutEffect } from '../../support/repeat-suite.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('the trips projection', () => {
  let fold: Fold;
  beforeAll(async () => {
    fold = await openFold(projectionNamed('trips'));
  });
  afterAll(async () => await fold.pipeline.close());

  async function trips(fleetId: string): Promise<unknown> {
    const sql = `SELECT driver_id, tracking_id, trip_start_time, trip_end_time, focus_area, ${listEntryJson('trips')}::json AS entry
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
        focus_area: expect.any(Number),
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

  it('marks each focus area of a trip in one bit', async () => {
    const summary = tripProcessed().event_summary;
    const quiet = { ...summary, hard_brake_count: 0, overspeeding_count: 0, overspeeding_time_seconds: 0 };
    const bad = [
      { ...quiet, phone_use_count: 9, phone_use_time_seconds: 900 },
      { ...quiet, rapid_acceleration_count: 9 },
      { ...quiet, hard_brake_count: 9 },
      { ...quiet, overspeeding_count: 9, overspeeding_time_seconds: 900 },
      quiet,
    ];
    await fold.take(
      ...bad.map((event_summary, index) =>
        tripProcessed({
          fleet_id: 'focus',
          source_trip_id: `${index}`,
          trip_start_time: DEFAULT_TRIP_START + index,
          event_summary,
        }),
      ),
    );
    expect(await trips('focus')).toMatchObject([1, 2, 4, 8, 0].map((focus_area) => ({ focus_area })));
  });

  itRepeatsWithoutEffect(() => fold);
});
