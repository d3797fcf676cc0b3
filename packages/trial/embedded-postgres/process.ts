import { readFile, readlink, realpath } from 'node:fs/promises';
import { run } from './command.ts';

/** Returns whether a process with this id exists, whichever user owns it. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Returns the state and the name of a process, such as `S postgres`, or blank text if there is no such process. See
 * proc_pid_stat(5) and ps(1).
 */
async function stateAndName(pid: number): Promise<string> {
  if (process.platform !== 'linux') return (await run('ps', ['-o', 'stat=,comm=', '-p', String(pid)])).output;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [, name = '', state = ''] = /^\d+ \((.*)\) (\S)/s.exec(stat) ?? [];
  return `${state} ${name}`;
}

/**
 * Returns whether the process with this id is the PostgreSQL server of a data folder. After a crash, the id may belong
 * to any other program or to another PostgreSQL server, so the working directory is compared, which is a server's data
 * folder. A zombie does not count.
 */
export async function isServerOf(data: string, pid: number): Promise<boolean> {
  if (!isAlive(pid) || !/^[^Z].*postgres/.test(await stateAndName(pid))) return false;
  // Null on a system without /proc.
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  return folder === null || folder === (await realpath(data));
}
