import { rename, writeFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { HOST } from './names.ts';
import { handOver, type Place } from './place.ts';

const MEGABYTE = 2 ** 20;
/** What PostgreSQL takes itself, and what costs no time at the start of the server, however large the machine is. */
const LEAST_BUFFERS_MEGABYTES = 128;
const MOST_BUFFERS_MEGABYTES = 8_192;

/** A quarter of the memory that this process may use, as PostgreSQL's manual advises; taken only as data is read. */
function sharedBuffers(): string {
  // 0, or more than there is, where no limit is set.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  const quarter = Math.floor(Math.min(totalmem(), limit) / 4 / MEGABYTE);
  return `${Math.min(MOST_BUFFERS_MEGABYTES, Math.max(LEAST_BUFFERS_MEGABYTES, quarter))}MB`;
}

/** PostgreSQL's own defaults stay (fsync and synchronous_commit on among them) but for these. */
const DEFAULTS: Record<string, string> = {
  shared_buffers: sharedBuffers(),
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
