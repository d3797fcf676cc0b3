import type { TripProcessed } from '@milepost/domain/vocabulary';
import { expect, it } from 'vitest';
import type { Fold } from './fold.ts';
import { DEFAULT_TRIP_START, driverProfile, tripDeleted, tripProcessed } from './records.ts';

const DAY = 86_400_000;
const moved: Partial<TripProcessed> = { revision: 2, driver_id: 'driver-2', trip_start_time: DEFAULT_TRIP_START + DAY };

/** For each kind of stored event, a title and the records of the last batch. Another batch precedes this one. */
const LAST_BATCHES: [string, (fleet_id: string) => object[]][] = [
  ['a new trip', (fleet_id) => [tripProcessed({ fleet_id, source_trip_id: 'new' })]],
  ['a revision that moves a trip', (fleet_id) => [tripProcessed({ fleet_id, ...moved })]],
  ['a revision in place', (fleet_id) => [tripProcessed({ fleet_id, revision: 2, distance_miles: 1 })]],
  [
    'several revisions',
    (fleet_id) => [tripProcessed({ fleet_id, ...moved }), tripProcessed({ fleet_id, revision: 3 })],
  ],
  ['a late revision', (fleet_id) => [tripProcessed({ fleet_id, source_trip_id: 'second', revision: 1 })]],
  ['a deletion', (fleet_id) => [tripDeleted({ fleet_id })]],
  ['a return', (fleet_id) => [tripDeleted({ fleet_id }), tripProcessed({ fleet_id, revision: 3 })]],
  ['a profile', (fleet_id) => [driverProfile({ fleet_id, alias: 'new', revision: 2 })]],
];

/** Tests, for each kind of stored event, that applying the last range again neither duplicates nor loses rows. */
export function itRepeatsWithoutEffect(fold: () => Fold): void {
  it.each(LAST_BATCHES)('changes nothing when a range with %s is applied again', async (title, records) => {
    const fleet_id = title.replaceAll(' ', '-');
    await fold().take(
      driverProfile({ fleet_id }),
      tripProcessed({ fleet_id }),
      tripProcessed({ fleet_id, source_trip_id: 'second', revision: 2, trip_start_time: DEFAULT_TRIP_START + 1 }),
    );
    await fold().take(...records(fleet_id));
    const { before, after } = await fold().applyAgain();
    expect(before.length).toBeGreaterThan(0);
    expect(after).toEqual(before);
  });
}
