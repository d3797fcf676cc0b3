import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createFile, makeFolder } from '@milepost/embedded-postgres';
import { messageOf } from '@milepost/service';

/** The index of field 22 of /proc/PID/stat after the name, which may contain spaces. See proc_pid_stat(5). */
const START_TIME_AFTER_NAME = 19;

async function startTime(pid: number): Promise<string | null> {
  try {
    if (process.platform === 'linux') {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_TIME_AFTER_NAME] ?? null;
    }
    return (await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)])).stdout.trim() || null;
  } catch {
    return null;
  }
}

/**
 * Returns a permanent identity of a process. Its id alone may later belong to another process, for example after a
 * container restarts.
 */
async function identity(pid: number): Promise<string | null> {
  const time = await startTime(pid);
  return time === null ? null : `${pid} ${time}\n`;
}

async function runningHolder(file: string): Promise<number | null> {
  const content = await readFile(file, 'utf8').catch(() => '');
  const pid = Number.parseInt(content, 10);
  return pid > 0 && (await identity(pid)) === content ? pid : null;
}

/**
 * Ensures that only one `milepost up` uses a Milepost home at a time. If the process that locked it has ended, its lock
 * is ignored.
 *
 * @returns a function that releases the lock
 * @throws Error when a running process has locked the home
 */
export async function lockHome(home: string): Promise<() => Promise<void>> {
  const file = join(home, 'up.lock');
  await makeFolder(home).catch((error: Error) => {
    throw new Error(`MILEPOST_HOME ${home} cannot be created: ${error.message}.`, { cause: error });
  });
  for (;;) {
    const isCreated = await createFile(file, { content: (await identity(process.pid)) ?? '' }).catch(
      (error: unknown) => {
        throw new Error(`MILEPOST_HOME ${home} cannot be written to: ${messageOf(error)}.`, { cause: error });
      },
    );
    if (isCreated) return async () => await rm(file, { force: true });
    const holder = await runningHolder(file);
    if (holder !== null) {
      throw new Error(
        `Milepost is already running in ${home}, as process ${holder}: stop it first, or set another MILEPOST_HOME.`,
      );
    }
    await rm(file, { force: true });
  }
}
