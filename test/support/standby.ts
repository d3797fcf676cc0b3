import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@milepost/embedded-postgres';
import { Client } from 'pg';
import { createHome } from './milepost.ts';

type Server = Awaited<ReturnType<typeof startEmbeddedPostgres>>;

/**
 * Copies a running server as pg_basebackup does and starts the copy as its streaming standby.
 *
 * @param port the standby's port if it is free; by default, any free port
 */
export async function startStandby(primary: string, from: string, to: string, port?: number): Promise<Server> {
  const client = new Client({ connectionString: primary });
  await client.connect();
  await client.query("SELECT pg_backup_start('standby', fast => true)");
  await mkdir(to);
  execFileSync('cp', ['--archive', join(from, 'data'), join(from, 'password'), to]);
  const { rows } = await client.query<{ labelfile: string }>(
    'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
  );
  await client.end();
  const data = join(to, 'data');
  const { hostname, port: primaryPort, username, password } = new URL(primary);
  const address = `host=${hostname} port=${primaryPort} user=${username} password=${password}`;
  rmSync(join(data, 'postmaster.pid'), { force: true });
  writeFileSync(join(data, 'backup_label'), rows[0]?.labelfile ?? '');
  writeFileSync(join(data, 'standby.signal'), '');
  appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${address}'\n`);
  for (const file of ['backup_label', 'standby.signal']) {
    execFileSync('chown', ['--reference', join(data, 'PG_VERSION'), join(data, file)]);
  }
  if (port !== undefined) writeFileSync(join(to, 'server.json'), JSON.stringify({ port, owner_process: process.pid }));
  execFileSync('chown', ['--reference', from, to]);
  return await startEmbeddedPostgres({ directory: to, settings: { fsync: 'off' } });
}

/** Kills a server, as a lost machine does. */
export function killServer(directory: string): void {
  execFileSync('sh', ['-c', 'kill -QUIT "$(head -n 1 "$1")"', 'sh', join(directory, 'data/postmaster.pid')]);
}

export interface Replication {
  /** The folder that contains the folders of both servers. */
  home: string;
  primary: Server & { directory: string };
  standby: Server & { directory: string };
  /** Stops both servers and removes all their files. */
  stop: () => Promise<void>;
}

/** Starts a primary and its streaming standby. */
export async function startReplication(): Promise<Replication> {
  const home = await createHome();
  const [from, to] = [join(home, 'primary'), join(home, 'standby')];
  const primary = await startEmbeddedPostgres({ directory: from, settings: { fsync: 'off', wal_keep_size: '512MB' } });
  const standby = await startStandby(primary.url, from, to);
  return {
    home,
    primary: { ...primary, directory: from },
    standby: { ...standby, directory: to },
    stop: async () => {
      await Promise.all([standby.stop(), primary.stop()]);
      await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}
