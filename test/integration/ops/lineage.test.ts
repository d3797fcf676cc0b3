import { driverDayTrace } from '@milepost/operations/trace';
import { beforeAll, expect, it } from 'vitest';
import { contentOf } from '../../support/answers.ts';
import { perSuite } from '../../support/fixtures.ts';
import { openOps, opsProblem } from '../../support/ops.ts';
import { deliver } from '../../support/pipeline.ts';
import { tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const DRIVER = 'driver/1 é';
const PATH = `/drivers/acme/${encodeURIComponent(DRIVER)}/trace`;

describeWithPostgres('traces', () => {
  const world = perSuite(openOps);

  beforeAll(async () => void (await deliver(world.pipeline.ingest, [tripProcessed({ driver_id: DRIVER })])));

  it("find a driver's day, whatever characters the driver's id contains", async () => {
    const trace = contentOf(await world.ask(`${PATH}?date=2025-01-15`), driverDayTrace.answer);
    expect(trace).toMatchObject({ driver_id: DRIVER, trip_count: 1, stored_events: [{ position: 1, counted: true }] });
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
