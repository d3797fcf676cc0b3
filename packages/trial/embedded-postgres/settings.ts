import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { EMBEDDED_HOST } from '@milepost/postgres/embedded';
import { replaceFile } from './files.ts';
import type { Server } from './prepare-server.ts';

const MEGABYTE = 2 ** 20;
/** The minimum is PostgreSQL's default. With a larger maximum, a server on a large machine would start slowly. */
const MIN_BUFFERS_MEGABYTES = 128;
const MAX_BUFFERS_MEGABYTES = 8_192;

/** Returns a quarter of the memory limit, as PostgreSQL's manual advises. The server uses it only when it reads data. */
function sharedBuffers(): string {
  // If there is no limit, `constrainedMemory` returns either 0 or a value above the machine's memory.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  const quarter = Math.floor(Math.min(totalmem(), limit) / 4 / MEGABYTE);
  return `${Math.min(MAX_BUFFERS_MEGABYTES, Math.max(MIN_BUFFERS_MEGABYTES, quarter))}MB`;
}

/** All other settings keep PostgreSQL's defaults, so fsync and synchronous_commit, for example, stay on. */
const DEFAULTS: Record<string, string> = {
  shared_buffers: sharedBuffers(),
  max_wal_size: '2GB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
};

/** Returns the port used at the last start, or 0 if the server has never started. */
export async function lastPort({ settingsFile }: Server): Promise<number> {
  const settings = await readFile(settingsFile, 'utf8').catch(() => '');
  return Number(/^port = '(\d+)'$/m.exec(settings)?.[1] ?? 0);
}

/**
 * Writes `postgresql.conf`. The file is written before every start, so that it always contains this release's settings.
 * ALTER SYSTEM writes to `postgresql.auto.conf`, which takes precedence.
 */
export async function writeSettings(server: Server, port: number): Promise<void> {
  const all = {
    ...DEFAULTS,
    ...server.settings,
    listen_addresses: EMBEDDED_HOST,
    port: String(port),
    // The server has no Unix socket, because clients connect only over TCP with a password, and a socket's path must
    // not exceed 107 bytes.
    unix_socket_directories: '',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`);
  await replaceFile(server.settingsFile, lines.join(''), server.account);
}
