import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute } from '../execute.ts';
import { guard } from './guard.ts';

/**
 * Ends each PostgreSQL server whose data is in the directory or one of its subdirectories. A suspended server must be
 * resumed before it ends. A lock file may be left over from an earlier server, and its process id may now belong to
 * another program or server, so the script checks what the process is.
 */
const END_SERVERS = `
for lock in "$1/data/postmaster.pid" "$1"/*/data/postmaster.pid; do
  pid=$(head -n 1 "$lock") || continue
  case $(ps -ww -o args= -p "$pid") in *postgres*"$1/"*) kill -QUIT "$pid"; kill -CONT "$pid";; *) continue; esac
  for attempt in $(seq 100); do kill -0 "$pid" && sleep 0.1 || break; done
done`;

const releases = new Map<string, () => void>();

/**
 * Creates a temporary directory that every account can enter. If this process ends before it calls `removeDirectory`,
 * any PostgreSQL server in the directory is stopped and the directory is removed.
 */
export async function temporaryDirectory(name: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), `milepost-test-${name}-`));
  releases.set(directory, guard(['sh', '-c', `${END_SERVERS}\nrm -rf "$1"`, 'guard', directory]));
  await chmod(directory, 0o755);
  return directory;
}

/** Removes a temporary directory. If a failed test has left a PostgreSQL server there, ends it first. */
export async function removeDirectory(directory: string): Promise<void> {
  await execute('sh', ['-c', END_SERVERS, 'end-servers', directory]);
  await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  releases.get(directory)?.();
  releases.delete(directory);
}

/** Starts a server with a temporary directory, which is removed when the server stops or if it does not start. */
export async function startInDirectory<Server extends { stop: () => Promise<void> }>(
  name: string,
  start: (directory: string) => Promise<Server>,
): Promise<Server> {
  const directory = await temporaryDirectory(name);
  try {
    const server = await start(directory);
    const stop = async () => {
      await server.stop();
      await removeDirectory(directory);
    };
    return { ...server, stop };
  } catch (error) {
    await removeDirectory(directory);
    throw error;
  }
}
