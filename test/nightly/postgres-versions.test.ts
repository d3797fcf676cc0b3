import { expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { serveFile } from '../support/deployment.ts';
import { untilTestEnds } from '../support/fixtures.ts';
import { openPool } from '../support/pipeline.ts';
import { Processes } from '../support/processes.ts';
import { type Major, startPostgresVersion } from '../support/services/field/postgres-version.ts';
import { portSettings } from '../support/services/free-port.ts';
import { firstValue, valuesOf } from '../support/tables.ts';

const startVersion = async (major: Major) => untilTestEnds(await startPostgresVersion(major)).url;

it.each([16, 17] as const)(
  'PostgreSQL %i lets Milepost ingest a trip from a file, and serve, replay and audit it',
  async (major) => {
    const url = await startVersion(major);
    const settings = {
      DATABASE_URL: url,
      ...(await portSettings('PORT', 'OPS_PORT')),
      SHUTDOWN_DELAY_SECONDS: '0',
      API_PASSWORD: 'of-api',
      INGEST_PASSWORD: 'of-ingest',
      PROJECTOR_PASSWORD: 'of-projector',
      OPS_PASSWORD: 'of-ops',
    };
    const processes = untilTestEnds(new Processes(settings));
    await processes.run('migrate');
    await serveFile(processes);
    await processes.run('replay', 'start', 'trips', '--promote', '--wait');
    expect(await processes.run('audit')).toContain('no faults found');
    await processes.run('drivers', 'erase', '--fleet', 'acme', '--driver', 'driver-1', '--reason', 'a test', '--yes');
    const oldVersions = async () => JSON.parse(await processes.run('drivers', 'erasures', '--json'))[0].old_versions;
    const owner = untilTestEnds(openPool(url, undefined, 1));
    // In PostgreSQL 16, only a table's owner may vacuum it.
    if (major === 16) {
      await expect.poll(oldVersions).toBe('refused');
      await owner.query('VACUUM (INDEX_CLEANUP ON, ANALYZE)');
    }
    await expect.poll(oldVersions).toBe('removed');
    await owner.query(
      `INSERT INTO log_source (topic, partition, next_offset, fault, fault_at)
       VALUES ('milepost.trips', 0, 0, 'It was created again.', now())`,
    );
    const accepted = await processes.run('sources', 'accept', 'milepost.trips/0', '--from', '7');
    expect(accepted).toContain('milepost.trips/0 continues at offset 7 instead of 0');
    expect(await firstValue(owner, "SELECT current_setting('server_version_num')::integer / 10000")).toBe(major);
  },
);

it('PostgreSQL 15 is refused by name, and nothing is created in it', async () => {
  const url = await startVersion(15);
  const refused = await run(['migrate'], { DATABASE_URL: url });
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^milepost: The server is PostgreSQL 15\.\d+, but Milepost supports 16 to 18: .*\n$/),
  });
  const owner = untilTestEnds(openPool(url, undefined, 1));
  expect(await valuesOf(owner, "SELECT rolname FROM pg_roles WHERE rolname LIKE 'milepost%'")).toEqual([]);
});
