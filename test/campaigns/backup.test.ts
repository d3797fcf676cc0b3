import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runAudit } from '@milepost/audit';
import { startEmbeddedPostgres } from '@milepost/embedded-postgres';
import { claimSource, readHeadPosition } from '@milepost/event-log';
import { createApiKey, isValidApiKey } from '@milepost/operations/keys';
import { type Pool, ROLES } from '@milepost/postgres';
import { migrate } from '@milepost/postgres/migrations';
import { PROJECTIONS } from '@milepost/projections';
import { prepareGenerations } from '@milepost/projections/engine';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deliver, openPool, projectAll } from '../support/pipeline.ts';
import { driverProfile, tripProcessed } from '../support/records.ts';
import { createHome } from '../system/milepost.ts';

const TOPIC = 'milepost.trips';
const RECORDS_A_BATCH = 50;
const BATCHES_BEFORE = 4;
const BATCHES_AFTER = 4;
/** What a server needs whose files are copied while it runs. */
const SETTINGS = { wal_level: 'replica', wal_keep_size: '512MB', shared_buffers: '64MB' };

let home: string;
beforeAll(async () => {
  home = await createHome();
});
afterAll(async () => await rm(home, { recursive: true, force: true }));

/** Record `n` of the topic, the same whenever it is asked for, as Kafka holds it. */
const record = (n: number) => (n === 0 ? driverProfile() : tripProcessed({ source_trip_id: `trip-${n}` }));
const batch = (from: number) => Array.from({ length: RECORDS_A_BATCH }, (_, index) => record(from + index));

/** Reads the topic on from where the log stands, to the end of `batches`. */
async function readOn(ingest: Pool, batches: number): Promise<void> {
  for (;;) {
    const { nextOffset } = await claimSource(ingest, TOPIC, 0);
    if (nextOffset >= batches * RECORDS_A_BATCH) return;
    await deliver(ingest, batch(nextOffset), TOPIC);
  }
}

/** Copies the files of a running server, as pg_basebackup does, while `meanwhile` goes on. */
async function backUp(url: string, from: string, to: string, meanwhile: () => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("SELECT pg_backup_start('test', fast => true)");
  await mkdir(to);
  const names = (await readdir(from)).filter((name) => name !== 'postmaster.pid' && name !== 'data');
  for (const name of names) execFileSync('cp', ['--archive', join(from, name), to]);
  execFileSync('cp', ['--archive', join(from, 'data'), to]);
  await meanwhile();
  const { rows } = await client.query<{ labelfile: string }>(
    'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
  );
  await client.end();
  const data = join(to, 'data');
  // The write-ahead log as it is at the end: it makes the files consistent, which were copied at different moments.
  execFileSync('cp', ['--archive', join(from, 'data', 'pg_wal'), data]);
  await rm(join(data, 'postmaster.pid'), { force: true });
  await rm(join(to, 'server.json'), { force: true });
  await writeFile(join(data, 'backup_label'), rows[0]?.labelfile ?? '');
  execFileSync('chown', ['--reference', join(data, 'PG_VERSION'), join(data, 'backup_label')]);
  execFileSync('chown', ['--reference', from, to]);
}

async function rowsOf(pool: Pool): Promise<unknown[]> {
  const { rows } = await pool.query('SELECT * FROM read.trips ORDER BY trip_id');
  return rows;
}

it('a backup of the running server is restored with all that was committed before it, and reads on where it ends', async () => {
  const [lost, kept] = [join(home, 'lost'), join(home, 'kept')];
  const server = await startEmbeddedPostgres({ directory: lost, settings: SETTINGS });
  await migrate(server.url);
  const before = { owner: openPool(server.url), ingest: openPool(server.url, ROLES.ingest) };
  const projector = openPool(server.url, ROLES.projector, 12);
  await prepareGenerations(projector, PROJECTIONS);
  await readOn(before.ingest, BATCHES_BEFORE);
  await projectAll({ projector });
  const { key } = await createApiKey(before.owner, 'acme');
  const atBackup = await readHeadPosition(before.owner);
  await backUp(server.url, lost, kept, async () => await readOn(before.ingest, BATCHES_BEFORE + 1));
  await readOn(before.ingest, BATCHES_BEFORE + BATCHES_AFTER);
  await projectAll({ projector });
  const [head, rows] = [await readHeadPosition(before.owner), await rowsOf(before.owner)];
  await Promise.all([before.owner.end(), before.ingest.end(), projector.end()]);
  await server.stop();
  await rm(lost, { recursive: true });

  const restored = await startEmbeddedPostgres({ directory: kept, settings: SETTINGS });
  const after = { owner: openPool(restored.url), ingest: openPool(restored.url, ROLES.ingest) };
  const again = openPool(restored.url, ROLES.projector, 12);
  try {
    expect(await readHeadPosition(after.owner)).toBeGreaterThanOrEqual(atBackup);
    expect(await isValidApiKey(after.owner, key, 'acme')).toBe(true);
    await projectAll({ projector: again });
    expect((await runAudit(again, PROJECTIONS)).report.faults).toEqual([]);
    // What came after the backup comes again from Kafka, from the offset that the log has.
    await readOn(after.ingest, BATCHES_BEFORE + BATCHES_AFTER);
    await projectAll({ projector: again });
    expect(await readHeadPosition(after.owner)).toBe(head);
    expect(await rowsOf(after.owner)).toEqual(rows);
    expect((await runAudit(again, PROJECTIONS)).report.equal).toBe(true);
  } finally {
    await Promise.all([after.owner.end(), after.ingest.end(), again.end()]);
    await restored.stop();
  }
});
