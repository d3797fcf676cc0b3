import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guard } from './guard.ts';

/**
 * Ends each PostgreSQL whose data is in the directory or in one of its subdirectories and then removes the directory. A
 * suspended server ends only after it is resumed. A lock file may be left over from an earlier server, so its process
 * id may belong to another program by now.
 */
const REMOVE = `
for lock in "$1/data/postmaster.pid" "$1"/*/data/postmaster.pid; do
  pid=$(head -n 1 "$lock") || continue
  case $(ps -o comm= -p "$pid") in *postgres*) kill -QUIT "$pid"; kill -CONT "$pid"; esac
  for attempt in $(seq 100); do kill -0 "$pid" && sleep 0.1 || break; done
done
rm -rf "$1"`;

const releases = new Map<string, () => void>();

/**
 * Creates a temporary directory that every account may enter. If this process ends before it calls `removeDirectory`,
 * any PostgreSQL in the directory is ended and the directory removed.
 */
export async function temporaryDirectory(name: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), `milepost-test-${name}-`));
  releases.set(directory, guard(['sh', '-c', REMOVE, 'guard', directory]));
  await chmod(directory, 0o755);
  return directory;
}

/** Removes a temporary directory. */
export async function removeDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  releases.get(directory)?.();
  releases.delete(directory);
}
