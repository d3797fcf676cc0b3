import { erase as eraseOperation, listDrivers, listFleets } from '@milepost/operations/drivers';
import { showStatus } from '@milepost/operations/status';
import { driverDayTrace } from '@milepost/operations/trace';
import { beforeAll, describe, expect, it } from 'vitest';
import { contentOf } from '../../support/answers.ts';
import { findEverywhere } from '../../support/find-everywhere.ts';
import { auditTrail, describeWithOps, type OpsRequest, opsProblem } from '../../support/ops.ts';
import { deliverAndProject } from '../../support/pipeline.ts';
import { driverProfile, tripDeleted, tripProcessed } from '../../support/records.ts';

const TRACED = { fleet_id: 'traced', driver_id: 'driver/1 é' };
const LEAVING = { fleet_id: 'left', driver_id: 'jane.doe/17' };
const REASON = 'request of 3 May, case 812';

describeWithOps('/fleets and /drivers', (world) => {
  beforeAll(async () => {
    const many = Array.from({ length: 60 }, (_, index) =>
      driverProfile({ fleet_id: 'large', driver_id: `d-${String(index).padStart(2, '0')}` }),
    );
    await deliverAndProject(world.pipeline, [
      tripProcessed({ source_trip_id: 'one', driver_id: 'both' }),
      tripProcessed({ source_trip_id: 'two', driver_id: 'both' }),
      tripProcessed({ source_trip_id: 'gone', driver_id: 'deleted/100%' }),
      tripDeleted({ source_trip_id: 'gone' }),
      driverProfile({ driver_id: 'both' }),
      driverProfile({ driver_id: 'profile only' }),
      tripProcessed({ fleet_id: 'acme-2', driver_id: 'other' }),
      ...many,
      tripProcessed(TRACED),
      driverProfile(LEAVING),
      tripProcessed(LEAVING),
    ]);
  });

  const pathOf = ({ fleet_id, driver_id }: typeof TRACED) => `/drivers/${fleet_id}/${encodeURIComponent(driver_id)}`;

  describe('list names, which', () => {
    const fleets = async (query = '') => contentOf(await world.ask(`/fleets${query}`), listFleets.answer).fleets;
    const drivers = async (path: string) => contentOf(await world.ask(`/drivers/${path}`), listDrivers.answer).drivers;

    it('appear once, in order, whether the log contains trips, a profile or both', async () => {
      expect(await fleets()).toEqual(['acme', 'acme-2', 'large', 'left', 'traced']);
      expect(await drivers('acme')).toEqual(['both', 'deleted/100%', 'profile only']);
      expect(await drivers('nobody')).toEqual([]);
    });

    it('start with a prefix', async () => {
      expect([await fleets('?beginning=acme-'), await fleets('?beginning=x')]).toEqual([['acme-2'], []]);
      expect(await drivers('acme?beginning=p')).toEqual(['profile only']);
      // The text is matched literally rather than as a pattern.
      expect(await drivers('acme?beginning=%25')).toEqual([]);
      expect(await drivers('acme?beginning=deleted%2F100%25')).toEqual(['deleted/100%']);
    });

    it('are none for a prefix that no name can have', async () => {
      for (const path of ['/fleets', '/drivers/acme', '/fleets/lanes']) {
        expect(Object.values((await world.ask(`${path}?beginning=a%00`)).json()), path).toEqual([[]]);
      }
    });

    it('end after fifty', async () => {
      const names = await drivers('large');
      expect([names.length, names[0], names.at(-1)]).toEqual([50, 'd-00', 'd-49']);
      expect(await drivers('large?beginning=d-5')).toHaveLength(10);
    });
  });

  describe('trace', () => {
    const path = `${pathOf(TRACED)}/trace`;

    it("a driver's day, whatever characters the driver's id contains", async () => {
      const trace = contentOf(await world.ask(`${path}?date=2025-01-15`), driverDayTrace.answer);
      expect(trace).toMatchObject({ driver_id: TRACED.driver_id, trip_count: 1, stored_events: [{ counted: true }] });
      expect((await world.ask(`${path}?date=2020-02-29`)).json()).toMatchObject({ trip_count: 0, stored_events: [] });
    });

    it('neither unknown trips nor unknown drivers', async () => {
      for (const [unknown, code] of [
        ['/trips/0123456789abcdef0123456789abcdef/trace', 'trip_not_found'],
        ['/trips/x/trace', 'trip_not_found'],
        ['/trips/%00/trace', 'trip_not_found'],
        ['/drivers/acme/nobody/trace?date=2025-01-15', 'driver_not_found'],
        [`${pathOf({ ...TRACED, fleet_id: 'acme' })}/trace?date=2025-01-15`, 'driver_not_found'],
        ['/drivers/acme/%00/trace?date=2025-01-15', 'driver_not_found'],
      ] as const) {
        opsProblem(await world.ask(unknown), 404, code);
      }
    });
  });

  describe('erase a driver, which', () => {
    const erase = async (body: object, driver_id = LEAVING.driver_id, more: OpsRequest = {}) =>
      await world.ask(`${pathOf({ ...LEAVING, driver_id })}/erasure`, { method: 'POST', body, ...more });

    const findJane = async () => await findEverywhere(world.pipeline.owner, ['jane']);

    it("removes the person and the last records' hashes, adds no source, and reports only the pseudonym", async () => {
      await world.pipeline.owner.query("UPDATE log_source SET last_hash = 'x', last_offset = 1, last_timestamp = 1");
      const { fleet_id } = LEAVING;
      const erased = contentOf(await erase({ reason: REASON }), eraseOperation.answer);
      expect(erased).toMatchObject({ fleet_id, aggregates_kept: false, stored_events: 2, dead_letters: 0 });
      expect(erased.pseudonym).toMatch(/^erased-[0-9a-f]{16}$/);
      expect(await findJane()).toEqual([]);
      expect((await auditTrail(world))[0]).toMatchObject({
        action: 'drivers.erase',
        outcome: 'done',
        detail: `2 stored events and 0 dead letters redacted, position ${erased.position}`,
        parameters: { fleet_id, pseudonym: erased.pseudonym, keep_aggregates: false, reason: REASON },
      });
      const { sources } = contentOf(await world.ask('/status'), showStatus.answer);
      expect(sources.map(({ topic }) => topic)).toEqual(['trips']);
      expect((await world.ops.inject('/metrics')).body).not.toContain('operator:');
      expect((await world.pipeline.owner.query('SELECT FROM log_source WHERE last_hash IS NOT NULL')).rows).toEqual([]);

      opsProblem(await erase({ reason: REASON }), 409, 'erasure_refused');
      opsProblem(await erase({ reason: REASON }, 'nobody'), 409, 'erasure_refused');
      expect((await auditTrail(world))[0]).toMatchObject({ outcome: 'refused' });
    });

    it('is refused without naming anyone in the audit trail', async () => {
      for (const [body, parameters] of [
        [{ reason: `because ${LEAVING.driver_id} asks` }, ['reason']],
        [{ reason: REASON, keep: LEAVING.driver_id }, ['keep']],
      ] as const) {
        const { errors = [] } = opsProblem(await erase(body), 400, 'invalid_parameter');
        expect(errors.map(({ parameter }) => parameter)).toEqual(parameters);
        expect((await auditTrail(world))[0]).toMatchObject({ action: 'drivers.erase', outcome: 'refused' });
      }
      opsProblem(await erase({ reason: REASON }, LEAVING.driver_id, { token: null }), 401, 'unauthorized');
      expect((await findJane()).filter((place) => place.includes('operator_action'))).toEqual([]);
      opsProblem(await erase({ reason: REASON }, 'a\0b'), 404, 'driver_not_found');
      opsProblem(await world.ask('/drivers/acme/a%00b/erasure'), 404, 'driver_not_found');
    });
  });
});
