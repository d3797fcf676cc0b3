import { decodeTrailPath } from '@milepost/trail-codec';
import { unpackTripEvents } from '@milepost/trip-event-codec';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fold, openFold, projectionNamed } from '../../support/fold.ts';
import { driverProfile, tripDeleted, tripProcessed } from '../../support/records.ts';
import { itRepeatsWithoutEffect } from '../../support/repeat-suite.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

/** What each of the two projections shows of a trip, read from its table. */
const BODIES = [
  {
    name: 'trail_paths',
    column: 'trail_path',
    read: (value: unknown) => (Buffer.isBuffer(value) ? decodeTrailPath(value) : value),
    of: (trip: ReturnType<typeof tripProcessed>) => trip.trail_path,
  },
  {
    name: 'trip_events',
    column: 'trip_events',
    read: (value: unknown) => (Buffer.isBuffer(value) ? JSON.parse(unpackTripEvents(value)) : value),
    of: (trip: ReturnType<typeof tripProcessed>) => trip.events,
  },
];

describeWithPostgres("the projections of what only a trip's detail shows", () => {
  describe.each(BODIES)('$name', ({ name, column, read, of }) => {
    let fold: Fold;
    beforeAll(async () => {
      fold = await openFold(projectionNamed(name));
    });
    afterAll(async () => await fold.pipeline.close());

    async function bodies(fleetId: string): Promise<unknown[]> {
      const sql = `SELECT driver_id, ${column} AS body FROM read.${name} WHERE fleet_id = $1 ORDER BY driver_id`;
      const rows = await fold.pipeline.owner.query<{ driver_id: string; body: unknown }>(sql, [fleetId]);
      return rows.rows.map((row) => ({ driver_id: row.driver_id, body: read(row.body) }));
    }

    it('shows what a new trip brought, in the order given', async () => {
      const trip = tripProcessed({ fleet_id: 'new' });
      const reversed = { ...trip, events: trip.events.toReversed(), trail_path: trip.trail_path.toReversed() };
      await fold.take(reversed, driverProfile({ fleet_id: 'new' }));
      expect(await bodies('new')).toEqual([{ driver_id: 'driver-1', body: of(reversed) }]);
    });

    it("replaces it by the higher revision's, also at the same and at another driver", async () => {
      const [first, second] = [tripProcessed({ fleet_id: 'moved' }), tripProcessed({ fleet_id: 'moved', revision: 2 })];
      const shorter = { ...second, events: first.events.slice(1), trail_path: first.trail_path.slice(1) };
      await fold.take(first);
      await fold.take(shorter);
      expect(await bodies('moved')).toEqual([{ driver_id: 'driver-1', body: of(shorter) }]);
      await fold.take({ ...first, revision: 3, driver_id: 'driver-2' });
      expect(await bodies('moved')).toEqual([{ driver_id: 'driver-2', body: of(first) }]);
    });

    it('lets a late revision change nothing', async () => {
      const trip = tripProcessed({ fleet_id: 'late', revision: 2 });
      await fold.take(trip);
      await fold.take({ ...trip, revision: 1, driver_id: 'other', events: [], trail_path: [] });
      expect(await bodies('late')).toEqual([{ driver_id: 'driver-1', body: of(trip) }]);
    });

    it('removes it with its trip, and brings it back with it', async () => {
      await fold.take(tripProcessed({ fleet_id: 'gone' }));
      await fold.take(tripDeleted({ fleet_id: 'gone' }));
      expect(await bodies('gone')).toEqual([]);
      await fold.take(tripProcessed({ fleet_id: 'gone', revision: 3 }));
      expect(await bodies('gone')).toHaveLength(1);
    });

    itRepeatsWithoutEffect(() => fold);
  });
});
