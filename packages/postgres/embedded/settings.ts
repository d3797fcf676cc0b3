import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HOST } from './names.ts';
import { handOver, type Place } from './place.ts';

/** PostgreSQL's own defaults stay (fsync and synchronous_commit on among them) but for these. */
const DEFAULTS: Record<string, string> = {
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
};

/**
 * Writes `postgresql.conf` anew before every start, so that it always holds this release's settings. What an operator
 * sets with ALTER SYSTEM lives in `postgresql.auto.conf` and wins.
 */
export async function writeSettings(place: Place, port: number, settings: Record<string, string>): Promise<void> {
  const all = {
    ...DEFAULTS,
    ...settings,
    listen_addresses: HOST,
    port: String(port),
    // Off: TCP with a password is the one way in, and a socket's path may be at most 107 bytes long.
    unix_socket_directories: '',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`);
  const file = join(place.data, 'postgresql.conf');
  await writeFile(`${file}.new`, lines.join(''), { mode: 0o600 });
  await handOver(place, `${file}.new`);
  await rename(`${file}.new`, file);
}
