import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@milepost/embedded-postgres';
import { Client } from 'pg';
import { startInDirectory } from './services/directory.ts';

type Server = Awaited<ReturnType<typeof startEmbeddedPostgres>>;

/** Copies a running server's files as pg_basebackup does, and runs `meanwhile` before the backup ends. */
export async function copyServer(
  url: string,
  from: string,
  to: string,
  meanwhile: () => Promise<void> = async () => {},
): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("SELECT pg_backup_start('test', fast => true)");
  await mkdir(to);
  execFileSync('cp', ['--archive', join(from, 'data'), join(from, 'password'), to]);
  await meanwhile();
  const { rows } = await client.query<{ labelfile: string }>(
    'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
  );
  await client.end();
  const data = join(to, 'data');
  // Copy the write-ahead log last, because it alone makes the other files, which are from different times, consistent.
  execFileSync('cp', ['--archive', join(from, 'data', 'pg_wal'), data]);
  rmSync(join(data, 'postmaster.pid'), { force: true });
  writeFileSync(join(data, 'backup_label'), rows[0]?.labelfile ?? '');
  execFileSync('chown', ['--reference', join(data, 'PG_VERSION'), join(data, 'backup_label')]);
  execFileSync('chown', ['--reference', from, to]);
}

/**
 * Copies a running server and starts the copy as its streaming standby.
 *
 * @param port the standby's port if it is free; by default, any free port
 */
export async function startStandby(primary: string, from: string, to: string, port?: number): Promise<Server> {
  await copyServer(primary, from, to);
  const data = join(to, 'data');
  const { hostname, port: primaryPort, username, password } = new URL(primary);
  const address = `host=${hostname} port=${primaryPort} user=${username} password=${password}`;
  writeFileSync(join(data, 'standby.signal'), '');
  appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${address}'\n`);
  execFileSync('chown', ['--reference', join(data, 'PG_VERSION'), join(data, 'standby.signal')]);
  if (port !== undefined) writeFileSync(join(data, 'postgresql.conf'), `port = '${port}'\n`);
  return await startEmbeddedPostgres({ directory: to, settings: { fsync: 'off' } });
}

export type Replication = Awaited<ReturnType<typeof startReplication>>;

/** Starts a primary and its streaming standby. */
export async function startReplication() {
  return await startInDirectory('replication', async (home) => {
    const [from, to] = [join(home, 'primary'), join(home, 'standby')];
    const settings = { fsync: 'off', wal_keep_size: '512MB' };
    const primary = await startEmbeddedPostgres({ directory: from, settings });
    const standby = await startStandby(primary.url, from, to);
    return {
      /** The folder that contains the folders of both servers. */
      home,
      primary: { ...primary, directory: from },
      standby: { ...standby, directory: to },
      stop: async () => void (await Promise.all([standby.stop(), primary.stop()])),
    };
  });
}
