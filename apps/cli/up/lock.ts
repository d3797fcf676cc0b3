import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProcess } from '@milepost/postgres/embedded';
import { causeOf } from '@milepost/service';

/** Returns null without such a process. Another process may later have the same id, as in a restarted container. */
async function identity(pid: number): Promise<string | null> {
  const found = await findProcess(pid);
  return found && `${pid} ${found.startTime}\n`;
}

async function runningHolder(file: string): Promise<number | null> {
  const content = await readFile(file, 'utf8').catch(() => '');
  const pid = Number.parseInt(content, 10);
  return pid > 0 && (await identity(pid)) === content ? pid : null;
}

/** Creates a file together with its content, so that nobody ever sees an incomplete one. Returns whether it is new. */
async function createFile(file: string, content: string): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, content);
    // link is atomic and never replaces a file.
    await link(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
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
  await mkdir(home, { recursive: true }).catch((error: Error) => {
    throw new Error(`MILEPOST_HOME ${home} cannot be created: ${error.message}.`, { cause: error });
  });
  const own = (await identity(process.pid)) ?? '';
  for (;;) {
    const isCreated = await createFile(file, own).catch((error: unknown) => {
      throw new Error(`MILEPOST_HOME ${home} cannot be written to: ${causeOf(error)}.`, { cause: error });
    });
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
