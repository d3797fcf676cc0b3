import { listDrivers, listFleets } from '@milepost/operations/drivers';
import { beforeAll, expect, it } from 'vitest';
import { contentOf } from '../../support/answers.ts';
import { perSuite } from '../../support/fixtures.ts';
import { openOps } from '../../support/ops.ts';
import { deliver } from '../../support/pipeline.ts';
import { driverProfile, tripDeleted, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('the lists of fleets and drivers', () => {
  const world = perSuite(openOps);

  beforeAll(async () => {
    const many = Array.from({ length: 60 }, (_, index) =>
      driverProfile({ fleet_id: 'large', driver_id: `d-${String(index).padStart(2, '0')}` }),
    );
    await deliver(world.pipeline.ingest, [
      tripProcessed({ source_trip_id: 'one', driver_id: 'both' }),
      tripProcessed({ source_trip_id: 'two', driver_id: 'both' }),
      tripProcessed({ source_trip_id: 'gone', driver_id: 'deleted/100%' }),
      tripDeleted({ source_trip_id: 'gone' }),
      driverProfile({ driver_id: 'both' }),
      driverProfile({ driver_id: 'profile only' }),
      tripProcessed({ fleet_id: 'acme-2', driver_id: 'other' }),
      ...many,
    ]);
  });

  const fleets = async (query = '') => contentOf(await world.ask(`/fleets${query}`), listFleets.answer).fleets;
  const drivers = async (path: string) => contentOf(await world.ask(`/drivers/${path}`), listDrivers.answer).drivers;

  it('name each fleet and driver once, in order, whether the log contains trips, a profile or both', async () => {
    expect(await fleets()).toEqual(['acme', 'acme-2', 'large']);
    expect(await drivers('acme')).toEqual(['both', 'deleted/100%', 'profile only']);
    expect(await drivers('nobody')).toEqual([]);
  });

  it('contain only the names that start with a prefix', async () => {
    expect([await fleets('?beginning=acme-'), await fleets('?beginning=x')]).toEqual([['acme-2'], []]);
    expect(await drivers('acme?beginning=p')).toEqual(['profile only']);
    // The text is matched literally rather than as a pattern.
    expect([await drivers('acme?beginning=%25'), await drivers('acme?beginning=deleted%2F100%25')]).toEqual([
      [],
      ['deleted/100%'],
    ]);
  });

  it('are empty for a prefix that no name can have', async () => {
    for (const path of ['/fleets', '/drivers/acme', '/fleets/lanes']) {
      expect(Object.values((await world.ask(`${path}?beginning=a%00`)).json()), path).toEqual([[]]);
    }
  });

  it('end after fifty names', async () => {
    const names = await drivers('large');
    expect([names.length, names[0], names.at(-1)]).toEqual([50, 'd-00', 'd-49']);
    expect(await drivers('large?beginning=d-5')).toHaveLength(10);
  });
});
