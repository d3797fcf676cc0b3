import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { serverUrl } from './names.ts';
import { readPassword } from './password.ts';
import { isPostgres } from './process.ts';

export interface RunningServer {
  pid: number;
  port: number;
}

const CONNECT_TIMEOUT_MILLISECONDS = 3_000;

/**
 * What the `postmaster.pid` of a data folder says (line 1 process id, line 4 port), null when there is none. After a crash
 * the file stays. https://www.postgresql.org/docs/18/storage-file-layout.html
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

/** The server that runs on a data folder, null when there is none. */
export async function runningServer(data: string): Promise<RunningServer | null> {
  const lock = await lockFile(data);
  return lock !== null && (await isPostgres(lock.pid)) ? lock : null;
}

/** The URL of a running server when it lets us in with our password, null otherwise. */
export async function answeringUrl(server: RunningServer, passwordFile: string): Promise<string | null> {
  if (!(server.port > 0)) return null;
  const url = serverUrl(await readPassword(passwordFile), server.port);
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MILLISECONDS });
  // The server may close the connection at any moment; without a listener that would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return url;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => {});
  }
}
