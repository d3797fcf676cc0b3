import { decodeTrailPath } from '@milepost/trail-codec';
import { tripEventsToJson } from '@milepost/trip-event-codec';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fold, openFold, projectionNamed } from '../../support/fold.ts';
import { driverProfile, tripDeleted, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

interface ShownTrip {
  driver_id: string;
  trail_path: Buffer | null;
  trip_events: Buffer | null;
}

describeWithPostgres("a trip's body in the trips view", () => {
  let fold: Fold;
  beforeAll(async () => {
    fold = await openFold(projectionNamed('trips'));
  });
  afterAll(async () => await fold.pipeline.close());

  /** Reads the bodies in the API's role. */
  async function bodies(fleetId: string): Promise<unknown[]> {
    const sql = 'SELECT driver_id, trail_path, trip_events FROM trips WHERE fleet_id = $1 ORDER BY driver_id';
    const { rows } = await fold.pipeline.api.query<ShownTrip>(sql, [fleetId]);
    return rows.map(({ driver_id, trail_path, trip_events }) => ({
      driver_id,
      trail_path: trail_path && decodeTrailPath(trail_path),
      events: trip_events && JSON.parse(tripEventsToJson(trip_events)),
    }));
  }

  const shown = ({ driver_id, trail_path, events }: ReturnType<typeof tripProcessed>) => ({
    driver_id,
    trail_path,
    events,
  });

  it('has the trail path and trip events of a new trip in their original order', async () => {
    const trip = tripProcessed({ fleet_id: 'new' });
    const reversed = { ...trip, events: trip.events.toReversed(), trail_path: trip.trail_path.toReversed() };
    await fold.take(reversed, driverProfile({ fleet_id: 'new' }));
    expect(await bodies('new')).toEqual([shown(reversed)]);
  });

  it('belongs to the highest revision, for the same and for another driver', async () => {
    const [first, second] = [tripProcessed({ fleet_id: 'moved' }), tripProcessed({ fleet_id: 'moved', revision: 2 })];
    const shorter = { ...second, events: first.events.slice(1), trail_path: first.trail_path.slice(1) };
    await fold.take(first);
    await fold.take(shorter);
    expect(await bodies('moved')).toEqual([shown(shorter)]);
    const third = { ...first, revision: 3, driver_id: 'driver-2' };
    await fold.take(third);
    expect(await bodies('moved')).toEqual([shown(third)]);
  });

  it('does not come from a late revision', async () => {
    const trip = tripProcessed({ fleet_id: 'late', revision: 2 });
    await fold.take(trip);
    await fold.take({ ...trip, revision: 1, driver_id: 'other', events: [], trail_path: [] });
    expect(await bodies('late')).toEqual([shown(trip)]);
  });

  it('disappears with its trip and returns with it', async () => {
    await fold.take(tripProcessed({ fleet_id: 'gone' }));
    await fold.take(tripDeleted({ fleet_id: 'gone' }));
    expect(await bodies('gone')).toEqual([]);
    const back = tripProcessed({ fleet_id: 'gone', revision: 3 });
    await fold.take(back);
    expect(await bodies('gone')).toEqual([shown(back)]);
  });

  it('is hidden from the API when its trip is hidden, whatever the query', async () => {
    const { api, owner } = fold.pipeline;
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
