import { readFile } from 'node:fs/promises';
import { run } from './command.ts';

/** Whether a process with this id exists, of whatever user. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function processName(pid: number): Promise<string> {
  if (process.platform === 'linux') return await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  return (await run('ps', ['-o', 'comm=', '-p', String(pid)])).output;
}

/** Whether the process with this id is a PostgreSQL server: after a crash the id may belong to any other program. */
export async function isPostgres(pid: number): Promise<boolean> {
  return isAlive(pid) && (await processName(pid)).includes('postgres');
}
