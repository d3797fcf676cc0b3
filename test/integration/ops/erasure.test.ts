import { erase as eraseOperation } from '@milepost/operations/drivers';
import { showStatus } from '@milepost/operations/status';
import { beforeEach, expect, it } from 'vitest';
import { contentOf } from '../../support/answers.ts';
import { perTest } from '../../support/fixtures.ts';
import { auditTrail, openOps, opsProblem } from '../../support/ops.ts';
import { deliverAndProject } from '../../support/pipeline.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const DRIVER = 'jane.doe/17';
const REASON = 'request of 3 May, case 812';

describeWithPostgres('the erasure of a driver', () => {
  const world = perTest(openOps);

  beforeEach(async () => {
    const driver_id = DRIVER;
    await deliverAndProject(world.pipeline, [driverProfile({ driver_id }), tripProcessed({ driver_id })]);
  });

  const erase = async (body: object, driver = DRIVER, token?: null) =>
    await world.ask(`/drivers/acme/${encodeURIComponent(driver)}/erasure`, {
      method: 'POST',
      body,
      ...(token === null ? { token } : {}),
    });

  /** Returns everything that the database stores about operations, as text. */
  async function kept(): Promise<string> {
    const { rows } = await world.pipeline.directory.query<{ row: string }>(
      'SELECT o::text AS row FROM operator_action o',
    );
    return rows.map(({ row }) => row).join('\n');
  }

  it("removes the person and the last records' hashes, adds no source, and reports only the pseudonym", async () => {
    await world.pipeline.owner.query("UPDATE log_source SET last_hash = 'x', last_offset = 1, last_timestamp = 1");
    const erased = contentOf(await erase({ reason: REASON }), eraseOperation.answer);
    expect(erased).toMatchObject({ fleet_id: 'acme', aggregates_kept: false, stored_events: 2, dead_letters: 0 });
    expect(erased.pseudonym).toMatch(/^erased-[0-9a-f]{16}$/);
    for (const table of ['stored_event', 'drivers', 'trips', 'daily_rollups']) {
      const { rows } = await world.pipeline.owner.query(`SELECT FROM ${table} row WHERE row::text LIKE $1`, [`%jane%`]);
      expect(rows, table).toEqual([]);
    }
    expect((await auditTrail(world))[0]).toMatchObject({
      action: 'drivers.erase',
      outcome: 'done',
      detail: `2 stored events and 0 dead letters redacted, position ${erased.position}`,
      parameters: { fleet_id: 'acme', pseudonym: erased.pseudonym, keep_aggregates: false, reason: REASON },
    });
    expect(await kept()).not.toContain('jane');
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
      [{}, ['reason']],
      [{ reason: ' \t' }, ['reason']],
      [{ reason: 'x'.repeat(1_001) }, ['reason']],
      [{ reason: `because ${DRIVER} asks` }, ['reason']],
      [{ reason: REASON, keep: DRIVER }, ['keep']],
    ] as const) {
      const { errors = [] } = opsProblem(await erase(body), 400, 'invalid_parameter');
      expect(errors.map(({ parameter }) => parameter)).toEqual(parameters);
      expect((await auditTrail(world))[0]).toMatchObject({ action: 'drivers.erase', outcome: 'refused' });
    }
    opsProblem(await erase({ reason: REASON }, DRIVER, null), 401, 'unauthorized');
    expect(await kept()).not.toContain('jane');
    opsProblem(await erase({ reason: REASON }, 'a\0b'), 404, 'driver_not_found');
    opsProblem(await world.ask('/drivers/acme/a%00b/erasure'), 404, 'driver_not_found');
  });
});
