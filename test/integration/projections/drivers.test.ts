import { expect, it } from 'vitest';
import { perSuite } from '../../support/fixtures.ts';
import { openFold, projectionNamed } from '../../support/fold.ts';
import { DEFAULT_TRIP_START, driverProfile, tripDeleted, tripProcessed } from '../../support/records.ts';
import { itRepeatsWithoutEffect } from '../../support/repeat-suite.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const DAY = 86_400_000;

describeWithPostgres('the drivers projection', () => {
  const fold = perSuite(() => openFold(projectionNamed('drivers')));

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

  it('creates a driver from a profile, with the names in the highest revision', async () => {
    const profile = { fleet_id: 'profile', driver_id: 'known' };
    await fold.take(driverProfile({ ...profile, revision: 2, first_name: 'New' }));
    await fold.take(driverProfile({ ...profile, revision: 1, first_name: 'Old' }));
    const { fleet_id: _, kind: __, revision: ___, ...names } = driverProfile({ ...profile, first_name: 'New' });
    const expected = { ...names, first_travel_date: null, last_travel_date: null };
    expect(await drivers('profile')).toEqual([{ ordinal: 1, profile: expected }]);
    // These records make the projection recompute the driver while the last profile in the log is a late revision.
    await fold.take(tripProcessed(profile));
    await fold.take(tripDeleted({ fleet_id: 'profile' }));
    expect(await drivers('profile')).toEqual([{ ordinal: 1, profile: expected }]);
    await fold.take(driverProfile({ ...profile, revision: 3, first_name: null, email: null }));
    expect(await drivers('profile')).toEqual([{ ordinal: 1, profile: { ...expected, first_name: null, email: null } }]);
  });

  it('updates the travel dates when a batch moves the only trip on the first or last day', async () => {
    const fleet_id = 'corrected';
    const trip = (source_trip_id: string, day: number, revision = 1) =>
      tripProcessed({ fleet_id, source_trip_id, revision, trip_start_time: DEFAULT_TRIP_START + day * DAY });
    await fold.take(trip('first', 0), trip('last', 9));
    await fold.take(trip('first', 2, 2), trip('between', 4));
    expect(await drivers(fleet_id)).toEqual([{ ordinal: 1, profile: driven('driver-1', '2025-01-17', '2025-01-24') }]);
    await fold.take(trip('last', 6, 2));
    expect(await drivers(fleet_id)).toEqual([{ ordinal: 1, profile: driven('driver-1', '2025-01-17', '2025-01-21') }]);
  });

  itRepeatsWithoutEffect(() => fold);
});
