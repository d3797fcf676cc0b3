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
 * Reads the file `postmaster.pid` of a data folder, which has the process id in line 1 and the port in line 4. Returns
 * null if there is no such file. After a crash, the file remains.
 * https://www.postgresql.org/docs/18/storage-file-layout.html
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

/** Returns the server that runs on a data folder, even if it does not respond, or null if none runs. */
export async function runningServer(data: string): Promise<RunningServer | null> {
  const lock = await lockFile(data);
  return lock !== null && (await isServerOf(data, lock.pid)) ? lock : null;
}

/**
 * How a running server reacts to a connection attempt. A `busy` server is starting, is recovering, or has no free
 * connection. A `silent` server does not respond.
 */
type Answer = 'open' | 'busy' | 'stopping' | 'silent';

const CANNOT_CONNECT_NOW = '57P03';
const TOO_MANY_CONNECTIONS = '53300';
/** The SQLSTATE classes invalid_authorization_specification and invalid_catalog_name. */
const REFUSALS = /^(28|3D)/;

/** Tries to connect to a server. Throws if the server refuses our password or does not have our database. */
export async function ask(url: string): Promise<Answer> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MILLISECONDS });
  // The server may close the connection at any time, which would end this process if there were no error listener.
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
