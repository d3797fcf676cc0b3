import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fold, openFold, projectionNamed } from '../../support/fold.ts';
import { DEFAULT_TRIP_START, driverProfile, tripDeleted, tripProcessed } from '../../support/records.ts';
import { itRepeatsWithoutEffect } from '../../support/repeat-suite.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const DAY = 86_400_000;

describeWithPostgres('the drivers projection', () => {
  let fold: Fold;
  beforeAll(async () => {
    fold = await openFold(projectionNamed('drivers'));
  });
  afterAll(async () => await fold.pipeline.close());

  async function drivers(fleetId: string): Promise<unknown> {
    const sql = 'SELECT ordinal, profile::json AS profile FROM drivers WHERE fleet_id = $1 ORDER BY ordinal';
    return await fold.rows(sql, fleetId);
  }
  const nameless = { first_name: null, last_name: null, email: null, alias: null };
  const driven = (driver_id: string, first: string | null, last = first) => ({
    driver_id,
    ...nameless,
    first_travel_date: first,
    last_travel_date: last,
  });

  it("creates a driver from a trip, without names, with the trip's day as first and last travel date", async () => {
    await fold.take(tripProcessed({ fleet_id: 'trip' }));
    expect(await drivers('trip')).toEqual([{ ordinal: 1, profile: driven('driver-1', '2025-01-15') }]);
  });

  it('creates a driver from a profile, with the names of its highest revision', async () => {
    const profile = { fleet_id: 'profile', driver_id: 'known' };
    await fold.take(driverProfile({ ...profile, revision: 2, first_name: 'New' }));
    await fold.take(driverProfile({ ...profile, revision: 1, first_name: 'Old' }));
    const { fleet_id: _, kind: __, revision: ___, ...names } = driverProfile({ ...profile, first_name: 'New' });
    const expected = { ...names, first_travel_date: null, last_travel_date: null };
    expect(await drivers('profile')).toEqual([{ ordinal: 1, profile: expected }]);
    // These records make the projection recompute the driver while a late revision is the last one in the log.
    await fold.take(tripProcessed(profile));
    await fold.take(tripDeleted({ fleet_id: 'profile' }));
    expect(await drivers('profile')).toEqual([{ ordinal: 1, profile: expected }]);
    await fold.take(driverProfile({ ...profile, revision: 3, first_name: null, email: null }));
    expect(await drivers('profile')).toEqual([{ ordinal: 1, profile: { ...expected, first_name: null, email: null } }]);
  });

  it('orders drivers by their first effective appearance, within a batch and across batches', async () => {
    const fleet_id = 'order';
    await fold.take(
      tripProcessed({ fleet_id, driver_id: 'z', revision: 2 }),
      tripProcessed({ fleet_id, driver_id: 'without-effect', revision: 1 }),
      driverProfile({ fleet_id, driver_id: 'a' }),
      tripProcessed({ fleet_id, driver_id: 'moved-to', revision: 3 }),
    );
    await fold.take(
      driverProfile({ fleet_id, driver_id: 'b' }),
      tripProcessed({ fleet_id, driver_id: 'z', revision: 4 }),
    );
    expect(await drivers(fleet_id)).toMatchObject(
      ['z', 'a', 'moved-to', 'b'].map((driver_id, index) => ({ ordinal: index + 1, profile: { driver_id } })),
    );
  });

  it('creates no driver from a trip below a stored deletion, until a trip has an effect', async () => {
    const ids = { fleet_id: 'deleted', driver_id: 'late' };
    await fold.take(tripDeleted({ fleet_id: 'deleted', revision: 5 }), tripProcessed({ ...ids, revision: 4 }));
    expect(await drivers('deleted')).toEqual([]);
    await fold.take(driverProfile({ ...ids, driver_id: 'other' }), tripProcessed({ ...ids, revision: 6 }));
    expect(await drivers('deleted')).toMatchObject([
      { ordinal: 1, profile: { driver_id: 'other' } },
      { ordinal: 2, profile: driven('late', '2025-01-15') },
    ]);
  });

  it('updates the travel dates of both drivers when a trip moves, and keeps a driver without trips', async () => {
    const fleet_id = 'hands';
    await fold.take(
      tripProcessed({ fleet_id }),
      tripProcessed({ fleet_id, source_trip_id: 'later', trip_start_time: DEFAULT_TRIP_START + 3 * DAY }),
    );
    await fold.take(tripProcessed({ fleet_id, revision: 2, driver_id: 'driver-2' }));
    expect(await drivers(fleet_id)).toEqual([
      { ordinal: 1, profile: driven('driver-1', '2025-01-18') },
      { ordinal: 2, profile: driven('driver-2', '2025-01-15') },
    ]);
    await fold.take(tripDeleted({ fleet_id, revision: 3 }));
    expect(await drivers(fleet_id)).toMatchObject([{}, { profile: driven('driver-2', null) }]);
  });

  it('updates the travel dates when a batch moves the only trip of the first or the last day', async () => {
    const fleet_id = 'corrected';
    const trip = (source_trip_id: string, day: number, revision = 1) =>
      tripProcessed({ fleet_id, source_trip_id, revision, trip_start_time: DEFAULT_TRIP_START + day * DAY });
    await fold.take(trip('first', 0), trip('last', 9));
    await fold.take(trip('first', 2, 2), trip('between', 4));
    expect(await drivers(fleet_id)).toEqual([{ ordinal: 1, profile: driven('driver-1', '2025-01-17', '2025-01-24') }]);
    await fold.take(trip('last', 6, 2));
    expect(await drivers(fleet_id)).toEqual([{ ordinal: 1, profile: driven('driver-1', '2025-01-17', '2025-01-21') }]);
  });

  it('numbers the drivers of each fleet separately', async () => {
    await fold.take(tripProcessed({ fleet_id: 'one' }), tripProcessed({ fleet_id: 'other' }));
    expect(await drivers('one')).toMatchObject([{ ordinal: 1 }]);
    expect(await drivers('other')).toMatchObject([{ ordinal: 1 }]);
  });

  itRepeatsWithoutEffect(() => fold);
});
