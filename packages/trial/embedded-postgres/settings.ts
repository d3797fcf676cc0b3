import { readFile, rename, writeFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { HOST } from './files.ts';
import { chownTo, type Place } from './place.ts';

const MEGABYTE = 2 ** 20;
/** The minimum is PostgreSQL's default. With a larger maximum, a server on a large machine would start slowly. */
const MIN_BUFFERS_MEGABYTES = 128;
const MAX_BUFFERS_MEGABYTES = 8_192;

/**
 * Returns a quarter of the memory limit, as PostgreSQL's manual advises. The server uses this memory only when it reads
 * data.
 */
function sharedBuffers(): string {
  // If there is no limit, `constrainedMemory` returns either 0 or a value above the machine's memory.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  const quarter = Math.floor(Math.min(totalmem(), limit) / 4 / MEGABYTE);
  return `${Math.min(MAX_BUFFERS_MEGABYTES, Math.max(MIN_BUFFERS_MEGABYTES, quarter))}MB`;
}

/**
 * Our defaults. All other settings keep PostgreSQL's defaults, so fsync and synchronous_commit, for example, stay on.
 */
const DEFAULTS: Record<string, string> = {
  shared_buffers: sharedBuffers(),
  max_wal_size: '2GB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
};

function settingsFile(place: Place): string {
  return join(place.data, 'postgresql.conf');
}

/** Returns the port used at the last start, or 0 if the server has never started. */
export async function lastPort(place: Place): Promise<number> {
  const settings = await readFile(settingsFile(place), 'utf8').catch(() => '');
  return Number(/^port = '(\d+)'$/m.exec(settings)?.[1] ?? 0);
}

/**
 * Writes `postgresql.conf`. The file is written before every start, so that it always contains this release's settings.
 * ALTER SYSTEM writes to `postgresql.auto.conf`, which takes precedence.
 */
export async function writeSettings(place: Place, port: number, settings: Record<string, string>): Promise<void> {
  const all = {
    ...DEFAULTS,
    ...settings,
    listen_addresses: HOST,
    port: String(port),
    // The server has no Unix socket, because clients connect only over TCP with a password, and a socket's path must
    // not exceed 107 bytes.
    unix_socket_directories: '',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`);
  const file = settingsFile(place);
  await writeFile(`${file}.new`, lines.join(''), { mode: 0o600 });
  await chownTo(place, `${file}.new`);
  await rename(`${file}.new`, file);
}
