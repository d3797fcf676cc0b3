import { randomUUID } from 'node:crypto';
import { cleanUp } from '@milepost/erasure';
import { ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { Client } from 'pg';
import { beforeEach, expect, it } from 'vitest';
import { eraseDriver } from '../../../packages/operator/erasure/erase-driver.ts';
import { run } from '../../support/command.ts';
import { perSuite } from '../../support/fixtures.ts';
import { createDatabaseWithLogins } from '../../support/logins.ts';
import { deliverAndProject, openPipeline, openPool } from '../../support/pipeline.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const LIST_TABLES =
  "SELECT relname AS name FROM pg_class WHERE relnamespace = 'milepost'::regnamespace AND relkind = 'r' ORDER BY name";

describeWithPostgres('the old versions of erased rows', () => {
  const pipeline = perSuite(async () => {
    const database = await createDatabaseWithLogins();
    return Object.assign(await openPipeline(PROJECTIONS, database), { opsUrl: database.urlOf('ops') });
  });
  const eraser = perSuite(async () => openPool(pipeline.opsUrl, ROLES.eraser));
  const worker = perSuite(async () => openPool(pipeline.opsUrl, ROLES.projector));

  /** Erases a driver who has a profile, a trip and a dead letter. */
  async function erase(): Promise<void> {
    const driver_id = randomUUID();
    const ids = { driver_id, source_trip_id: driver_id, tracking_id: driver_id };
    await deliverAndProject(pipeline, [driverProfile(ids), tripProcessed(ids), { driver_id }]);
    const request = { fleetId: 'acme', driverId: driver_id, reason: 'a test', keepAggregates: false };
    await eraseDriver(eraser, PROJECTIONS, request);
  }

  const newest = async () => {
    const { stdout } = await run(['drivers', 'erasures', '--json'], { DATABASE_URL: pipeline.opsUrl });
    return JSON.parse(stdout)[0];
  };

  /**
   * Returns the names of the tables that contain old row versions or index entries for them. Removes these versions.
   */
  async function tablesWithOldVersions(): Promise<string[]> {
    const client = new Client({ connectionString: pipeline.url });
    await client.connect();
    let report = '';
    client.on('notice', ({ message }) => (report += message));
    const found: string[] = [];
    for (const { name } of (await client.query<{ name: string }>(LIST_TABLES)).rows) {
      report = '';
      await client.query(`VACUUM (VERBOSE, INDEX_CLEANUP ON, PROCESS_TOAST OFF) milepost.${name}`);
      expect(report).toContain('tuples: ');
      if (!/tuples: 0 removed, \d+ remain, 0 are dead/.test(report) || /[1-9]\d* dead item identifiers/.test(report)) {
        found.push(name);
      }
    }
    await client.end();
    return found;
  }

  /**
   * Repeats the clean-up until it has removed the old versions, which it cannot do while another transaction is running
   * in the database.
   */
  const cleaned = async () =>
    await expect
      .poll(async () => {
        expect(await cleanUp(worker)).toBeNull();
        return (await newest())?.old_versions;
      })
      .toBe('removed');

  beforeEach(async () => void (await tablesWithOldVersions()));

  it('are removed from all tables with the login of ops, once no transaction can read them any longer', async () => {
    const reader = await pipeline.api.connect();
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await reader.query('SELECT FROM trips');
    await erase();
    for (let call = 0; call < 3; call += 1) expect(await cleanUp(worker)).toBeNull();
    const pending = { old_versions: 'pending', removed_at: null, fault: null };
    expect(await newest()).toMatchObject({ lane: 0, fleet_id: 'acme', ...pending });
    expect(await tablesWithOldVersions()).toEqual(
      expect.arrayContaining(['dead_letter', 'drivers_1', 'stored_event', 'trip_body', 'trips_1']),
    );
    await reader.query('COMMIT');
    reader.release();
    await cleaned();
    expect((await tablesWithOldVersions()).filter((name) => name !== 'cleanup')).toEqual([]);
    expect(await newest()).toMatchObject({ old_versions: 'removed', removed_at: expect.any(String), fault: null });
  });

  it('remain if the login of ops is not allowed to vacuum, and the list says who removes them', async () => {
    // This is always the case in PostgreSQL 16, which has no MAINTAIN privilege.
    const { rows } = await pipeline.owner.query(
      "SELECT current_setting('server_version_num')::integer >= 170000 AS has",
    );
    if (rows[0]?.has)
      await pipeline.owner.query(`REVOKE MAINTAIN ON stored_event, dead_letter FROM ${ROLES.projector}`);
    await erase();
    await expect.poll(() => cleanUp(worker)).not.toBeNull();
    // The missing privilege is reported only once.
    expect(await cleanUp(worker)).toBeNull();
    expect(await newest()).toMatchObject({
      old_versions: 'refused',
      removed_at: null,
      fault: expect.stringMatching(
        /^This login is not allowed to vacuum .*dead_letter, .*stored_event.*: ask the owner of the database to run `VACUUM \(INDEX_CLEANUP ON, ANALYZE\)`\.$/,
      ),
    });
    await pipeline.owner.query('VACUUM (INDEX_CLEANUP ON, ANALYZE)');
    await cleaned();
    if (rows[0]?.has) await pipeline.owner.query(`GRANT MAINTAIN ON stored_event, dead_letter TO ${ROLES.projector}`);
  });
});
