import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guard } from './guard.ts';

/**
 * Ends each PostgreSQL whose data is in the directory or in one of its subdirectories, and removes the directory. A
 * server that is suspended ends only after it continues. A lock file may be older than the server and contain the id of
 * another program.
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
 * Creates a temporary directory, which every account may enter. If this process ends before `removeDirectory`, the
 * directory is removed, and a PostgreSQL in it ends.
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
