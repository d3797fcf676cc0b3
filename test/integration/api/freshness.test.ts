import { PROJECTIONS } from '@milepost/projections';
import { rollBack } from '@milepost/replay';
import { beforeEach, expect, it } from 'vitest';
import { perTest } from '../../support/fixtures.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { workerOf } from '../../support/replay.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld } from '../../support/world.ts';

const PATHS = [
  '/api/v1/drivers',
  '/api/v1/driver/driver-1/trips?start_date=2025-01-15',
  '/api/v1/trip/tracking_id/tracking-1',
  '/api/v1/trip/tracking_id/tracking-1?page=2',
  '/api/v1/driver-aggregate/daily?start_date=2025-01-15&driver_id=driver-1',
  '/api/v1/driver-aggregate/weekly?start_date=2025-01-13&driver_id=driver-1',
];

describeWithPostgres('the freshness of a response', () => {
  const world = perTest(createWorld);
  let other: string;

  beforeEach(async () => {
    other = await world.createKey('other');
    // Positions 1 and 3 belong to the fleet `acme`, and 2 and 4 to another fleet.
    await world.ingest([
      tripProcessed({ tracking_id: 'tracking-1' }),
      tripProcessed({ fleet_id: 'other', tracking_id: 'tracking-1' }),
      driverProfile(),
      driverProfile({ fleet_id: 'other' }),
    ]);
  });

  /** Returns the position, which must be the same in all responses, and the longest lag. */
  async function freshness(key?: string): Promise<{ position: number; lag: number }> {
    const readings: { position: unknown; lag: number }[] = [];
    for (const path of PATHS) {
      const { statusCode, headers } = await world.get(path, key === undefined ? {} : { key });
      expect(statusCode, path).toBe(200);
      expect(headers['milepost-lag-seconds'], path).toMatch(/^\d+$/);
      readings.push({ position: headers['milepost-position'], lag: Number(headers['milepost-lag-seconds']) });
    }
    const positions = new Set(readings.map(({ position }) => position));
    expect(positions.size).toBe(1);
    return { position: Number([...positions][0]), lag: Math.max(...readings.map(({ lag }) => lag)) };
  }

  async function storedSecondsAgo(position: number, seconds: number): Promise<void> {
    const change = 'UPDATE stored_event SET stored_at = now() - make_interval(secs => $2) WHERE position = $1';
    expect((await world.pool.query(change, [position, seconds])).rowCount).toBe(1);
  }

  it('includes the position of the last applied stored event of its own fleet, whatever other fleets store', async () => {
    await world.project();
    expect(await freshness()).toEqual({ position: 3, lag: 0 });
    expect(await freshness(other)).toEqual({ position: 4, lag: 0 });
    await world.take([5, 6, 7].map((n) => tripProcessed({ fleet_id: 'other', source_trip_id: `trip-${n}` })));
    expect(await freshness()).toEqual({ position: 3, lag: 0 });
    expect(await freshness(other)).toEqual({ position: 7, lag: 0 });
    // This fleet's name sorts between those of the other fleets.
    const { headers } = await world.get('/api/v1/drivers', { key: await world.createKey('bcme') });
    expect(headers).toMatchObject({ 'milepost-position': '0', 'milepost-lag-seconds': '0' });
  });

  it('includes the seconds since the oldest unapplied event was stored, or 0 if there is none or if a clock is ahead', async () => {
    await world.project();
    await world.ingest([driverProfile({ revision: 2 }), driverProfile({ fleet_id: 'other', revision: 2 })]);
    await storedSecondsAgo(5, 7_200);
    await storedSecondsAgo(6, 3_600);
    const behind = await freshness();
    expect(behind.position).toBe(3);
    expect(behind.lag).toBeGreaterThanOrEqual(7_200);
    expect(behind.lag).toBeLessThan(7_300);
    await world.project();
    expect(await freshness()).toEqual({ position: 5, lag: 0 });
    await world.ingest([driverProfile({ revision: 3 })]);
    await storedSecondsAgo(7, -100);
    expect((await freshness()).lag).toBe(0);
  });

  it('stays correct during replay, promotion and rollback while other fleets store events', async () => {
    await world.project();
    const worker = workerOf(world.pipeline.projector, PROJECTIONS);
    const promoted = await worker.start({ projection: 'all', promote: true });
    await world.take([tripProcessed({ fleet_id: 'other', source_trip_id: 'trip-5' })]);
    expect(await worker.outcome(promoted)).toMatchObject({ phase: 'promoted' });
    expect(await freshness()).toEqual({ position: 3, lag: 0 });
    await world.take([driverProfile({ revision: 2 }), driverProfile({ fleet_id: 'other', revision: 2 })]);
    const { id } = await rollBack(world.pool, PROJECTIONS, { projection: 'all', requestedBy: 'test' });
    expect(await worker.outcome(id)).toMatchObject({ kind: 'roll_back', phase: 'promoted' });
    expect(await freshness()).toEqual({ position: 6, lag: 0 });
  });
});
