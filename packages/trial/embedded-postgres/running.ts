import { readFile, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './command.ts';

interface RunningServer {
  pid: number;
  /** NaN until the server has written its port. */
  port: number;
  /** Whether the server accepts connections, which it does not do during recovery. */
  isReady: boolean;
}

/**
 * Reads `postmaster.pid` in a data folder, which contains the process id in line 1, the port in line 4 and the status
 * in line 8. Returns null if there is no such file. After a crash, the file remains.
 * https://www.postgresql.org/docs/18/storage-file-layout.html
 */
export async function lockFile(data: string): Promise<RunningServer | null> {
  try {
    const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), isReady: /^(ready|standby)/.test(lines[7] ?? '') };
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
    throw error;
  }
}

/** Returns whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Returns the state and the name of a process, such as `S postgres`. See proc_pid_stat(5) and ps(1). */
async function stateAndName(pid: number): Promise<string> {
  if (process.platform !== 'linux') return (await run('ps', ['-o', 'stat=,comm=', '-p', String(pid)])).output;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [, name = '', state = ''] = /^\d+ \((.*)\) (\S)/s.exec(stat) ?? [];
  return `${state} ${name}`;
}

/**
 * Returns whether the process with this id is the PostgreSQL server for a data folder. After a crash, the id may belong
 * to any other program or to another PostgreSQL server. A PostgreSQL server runs in its data folder, so the working
 * directory is checked too. A zombie does not count.
 */
export async function isServerOf(data: string, pid: number): Promise<boolean> {
  if (!isAlive(pid) || !/^[^Z].*postgres/.test(await stateAndName(pid))) return false;
  // Null on a system without /proc.
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  return folder === null || folder === (await realpath(data));
}

/** Returns the server running on a data folder, even if the server does not respond; null if none is running. */
export async function runningServer(data: string): Promise<RunningServer | null> {
  const lock = await lockFile(data);
  return lock !== null && (await isServerOf(data, lock.pid)) ? lock : null;
}
