import { tripId } from '@milepost/domain/trip-id';
import { driverDayTrace, tripTrace } from '@milepost/operations/trace';
import { beforeAll, expect, it } from 'vitest';
import { contentOf } from '../../support/answers.ts';
import { perSuite } from '../../support/fixtures.ts';
import { openOps, opsProblem } from '../../support/ops.ts';
import { deliver, projectAll } from '../../support/pipeline.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const DRIVER = 'driver/1 é';
const PATH = `/drivers/acme/${encodeURIComponent(DRIVER)}/trace`;

describeWithPostgres('traces', () => {
  const world = perSuite(openOps);

  beforeAll(async () => {
    const trip = tripProcessed({ driver_id: DRIVER });
    const records = [driverProfile({ driver_id: DRIVER }), trip, { ...trip, revision: 2 }, trip];
    await deliver(world.pipeline.ingest, [...records, { ...trip, revision: 2, distance_miles: 1 }], 'milepost.trips');
    await projectAll(world.pipeline);
  });

  it('show the stored events, duplicates and dead letters of a trip', async () => {
    const trace = contentOf(await world.ask(`/trips/${tripId('acme', 'trip-1')}/trace`), tripTrace.answer);
    expect(trace).toMatchObject({
      fleet_id: 'acme',
      source_trip_id: 'trip-1',
      current_position: 3,
      deleted: false,
      answer_position: 3,
      stored_events: [
        { position: 2, revision: 1, state: 'superseded', superseded_by: 3, topic: 'milepost.trips', offset: 1 },
        { position: 3, revision: 2, state: 'current', supersedes: 2, driver_id: DRIVER },
      ],
      duplicates: [{ position: 2, offset: 3 }],
      dead_letters: [{ reason: 'revision_conflict', offset: 4, match: 'parsed' }],
      incomplete: [],
    });
  });

  it("show everything that determines a driver's day, whatever characters the driver's id contains", async () => {
    const trace = contentOf(await world.ask(`${PATH}?date=2025-01-15`), driverDayTrace.answer);
    expect(trace).toMatchObject({
      driver_id: DRIVER,
      trip_count: 1,
      stored_events: [
        { position: 2, counted: false },
        { position: 3, counted: true },
      ],
      profile_events: [{ position: 1, kind: 'driver.profile' }],
    });
    expect(contentOf(await world.ask(`${PATH}?date=2025-01-16`), driverDayTrace.answer).trip_count).toBe(0);
  });

  it('refuse unknown trips and drivers, and days that do not exist', async () => {
    for (const [path, code] of [
      ['/trips/0123456789abcdef0123456789abcdef/trace', 'trip_not_found'],
      ['/trips/x/trace', 'trip_not_found'],
      ['/trips/%00/trace', 'trip_not_found'],
      ['/drivers/acme/nobody/trace?date=2025-01-15', 'driver_not_found'],
      ['/drivers/other/driver-1/trace?date=2025-01-15', 'driver_not_found'],
      ['/drivers/acme/%00/trace?date=2025-01-15', 'driver_not_found'],
    ] as const) {
      opsProblem(await world.ask(path), 404, code);
    }
    for (const query of ['', '?date=', '?date=2025-02-30', '?date=2025-01-15&date=2025-01-15']) {
      const { errors } = opsProblem(await world.ask(`${PATH}${query}`), 400, 'invalid_parameter');
      expect(errors, query).toMatchObject([{ parameter: 'date' }]);
    }
  });
});
