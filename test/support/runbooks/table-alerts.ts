import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Scenario } from './page.ts';

const TRIPS = 5;

/** The scenarios for alerts about read tables, audits and replays. */
export const TABLE_ALERTS: Readonly<Record<string, Scenario>> = {
  'audit-found-faults': async (page, world) => {
    const PROJECTION = 'trips';
    const driver = await world.newDriver(TRIPS);
    const generation = await world.value("SELECT generation FROM generation WHERE projection = 'trips' AND live");
    await world.owner.query(`DELETE FROM trips_${generation} WHERE driver_id = $1`, [driver]);
    await page.run('milepost audit', {}, 1);
    await page.untilMetric('ops', 'milepost_audit_equal', (value) => value === 0);
    const AUDIT = await world.value('SELECT max(audit_id) FROM audit');
    expect(await page.run('milepost audit list')).toContain(AUDIT);
    expect(await page.run('milepost audit show AUDIT', { AUDIT })).toContain('missing_row');
    await page.run('milepost replay start PROJECTION --wait', { PROJECTION });
    const REPLAY = await world.value('SELECT max(replay_id) FROM replay');
    expect(await page.run('milepost replay show REPLAY', { REPLAY })).toContain('waiting');
    await page.run('milepost replay promote REPLAY --accept-differences --wait', { REPLAY });
    await world.untilTrips(driver, TRIPS);
    expect(await page.run('milepost audit')).toContain('no faults found');
    await page.untilMetric('ops', 'milepost_audit_equal', (value) => value === 1);
    await page.run('milepost replay rollback PROJECTION --wait', { PROJECTION });
    await world.untilTrips(driver, 0);
    await world.processes.run('replay', 'rollback', PROJECTION, '--wait');
    await world.untilTrips(driver, TRIPS);
  },
  'audit-overdue': async (page, world) => {
    await world.processes.run('audit');
    await world.owner.query("UPDATE audit SET at = at - interval '4 hours'");
    await page.untilMetric('ops', 'milepost_audit_age_seconds', (value) => value > 3 * 3600);
    const OPS_ADDRESS = await world.address('ops');
    expect(await page.run('curl --silent --show-error http://OPS_ADDRESS/readyz', { OPS_ADDRESS })).toContain('ready');
    await page.run('milepost audit');
    await page.untilMetric('ops', 'milepost_audit_age_seconds', (value) => value < 60);
  },
  'projection-failed': async (page, world) => {
    await world.owner.query('UPDATE generation SET version = version - 1 WHERE live');
    const driver = randomUUID();
    await world.publishTrips(driver, TRIPS);
    await page.untilMetric('ops', 'milepost_projection_failed', (value) => value > 0);
    expect(await page.run('milepost status')).toContain('milepost replay start all --promote');
    await page.run('milepost replay start all --promote --wait');
    await page.untilMetric('ops', 'milepost_projection_failed', (value) => value === 0);
    await world.untilTrips(driver, TRIPS);
    // From this point, the running code stands for the earlier release, whose tables were live before the replay.
    await world.owner.query('UPDATE generation SET version = version + 1');
    await page.run('milepost replay rollback all --wait');
    await world.publishTrips(driver, 1);
    await world.untilTrips(driver, TRIPS + 1);
    await world.stop('projector');
    const [faulty, other] = [randomUUID(), randomUUID()];
    const head = async () => Number(await world.value('SELECT position FROM log_head'));
    const POSITION = (await head()) + 1;
    await world.publishTrips(faulty, 1);
    await expect.poll(head).toBe(POSITION);
    const plant = async (sql: string) =>
      await world.owner.query(`UPDATE stored_event SET ${sql} WHERE position = ${POSITION}`);
    await plant("highway_miles = distance_miles, distance_miles = 'NaN'");
    await world.publishTrips(other, 1);
    await world.start('projector');
    await page.untilMetric('ops', 'milepost_projection_failed', (value) => value > 0);
    expect(await page.run('milepost status')).toContain(`milepost positions set-aside ${POSITION} --reason TEXT`);
    await page.run('milepost positions set-aside POSITION --reason "REASON"', {
      POSITION,
      REASON: 'a fault of the code',
    });
    await page.untilMetric('ops', 'milepost_projection_failed', (value) => value === 0);
    await world.untilTrips(other, 1);
    await plant('distance_miles = highway_miles');
    await page.run('milepost positions put-back POSITION', { POSITION });
    await page.run('milepost replay start all --promote --accept-differences --wait');
    await world.untilTrips(faulty, 1);
  },
  'read-tables-late': async (page, world) => {
    const driver = randomUUID();
    const REPLAY = (await world.processes.run('replay', 'start', 'fleets', '--wait')).trim();
    await world.stop('projector');
    await world.publishTrips(driver, TRIPS);
    const head = async () => Number(await world.value('SELECT position FROM log_head'));
    const position = await head();
    await expect.poll(head).toBe(position + TRIPS);
    await world.owner.query("UPDATE stored_event SET stored_at = stored_at - interval '2 minutes'");
    await page.untilMetric('ops', 'milepost_projection_lag_seconds', (value) => value > 60, { projection: 'trips' });
    await page.run('milepost status');
    expect(await page.run('milepost replay list')).toContain(REPLAY);
    await page.run('milepost replay throttle REPLAY 100', { REPLAY });
    await page.run('milepost replay throttle REPLAY auto', { REPLAY });
    world.running.set('projector', page.start('milepost projector'));
    await page.untilMetric('ops', 'milepost_projection_lag_seconds', (value) => value === 0, { projection: 'trips' });
    await world.untilTrips(driver, TRIPS);
    await world.processes.run('replay', 'cancel', REPLAY);
  },
  'replay-failed': async (page, world) => {
    await world.owner.query(
      `CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'an administrator forbids tables'; END $$;
     CREATE EVENT TRIGGER refuse ON ddl_command_start WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION refuse();`,
    );
    const PROJECTION = 'drivers';
    const REPLAY = (await world.processes.run('replay', 'start', PROJECTION)).trim();
    const failed = async (count: number) =>
      await page.untilMetric('ops', 'milepost_replays_halted', (value) => value === count, { reason: 'failed' });
    await failed(1);
    expect(await page.run('milepost replay list')).toContain(REPLAY);
    expect(await page.run('milepost replay show REPLAY', { REPLAY })).toContain('an administrator forbids tables');
    await world.owner.query('DROP EVENT TRIGGER refuse');
    await page.run('milepost replay resume REPLAY', { REPLAY });
    await failed(0);
    const phase = () => world.value(`SELECT phase FROM replay WHERE replay_id = ${REPLAY}`);
    await expect.poll(phase).toBe('waiting');
    await page.run('milepost replay cancel REPLAY', { REPLAY });
    await expect.poll(phase).toBe('cancelled');
    await page.run('milepost replay start PROJECTION', { PROJECTION });
  },
};
