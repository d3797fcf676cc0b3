import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sqlState } from '@milepost/postgres';
import { Client } from 'pg';
import { isServerOf } from './process.ts';

interface RunningServer {
  pid: number;
  port: number;
}

const CONNECT_TIMEOUT_MILLISECONDS = 3_000;

/**
 * Reads the `postmaster.pid` of a data folder (line 1 process id, line 4 port); null when there is none. After a crash
 * the file remains. https://www.postgresql.org/docs/18/storage-file-layout.html
 */
export async function lockFile(data: string): Promise<RunningServer | null> {
  try {
    const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
    throw error;
  }
}

/** Returns the server that runs on a data folder, whether it answers or not; null when none runs. */
export async function runningServer(data: string): Promise<RunningServer | null> {
  const lock = await lockFile(data);
  return lock !== null && (await isServerOf(data, lock.pid)) ? lock : null;
}

/**
 * The answer of a running server to a connection attempt. `busy`: it is starting up, is recovering, or has no free
 * connection. `silent`: it does not answer.
 */
type Answer = 'open' | 'busy' | 'stopping' | 'silent';

const CANNOT_CONNECT_NOW = '57P03';
const TOO_MANY_CONNECTIONS = '53300';
/** invalid_authorization_specification, invalid_catalog_name */
const REFUSALS = /^(28|3D)/;

/** Connects to a server. Throws when it refuses our password or does not have our database. */
export async function ask(url: string): Promise<Answer> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MILLISECONDS });
  // The server may close the connection at any time; without an error listener that would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return 'open';
  } catch (error) {
    const state = sqlState(error) ?? '';
    if (REFUSALS.test(state)) throw error;
    if (state === CANNOT_CONNECT_NOW && /shutting down/.test(String(error))) return 'stopping';
    return state === CANNOT_CONNECT_NOW || state === TOO_MANY_CONNECTIONS ? 'busy' : 'silent';
  } finally {
    await client.end().catch(() => {});
  }
}
