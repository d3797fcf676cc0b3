import { readFileSync } from 'node:fs';
import type { Logger } from '@milepost/service';

/** Files that a server needs besides its connections: modules, logs, and connections to databases. */
const RESERVED_FILES = 100;

/** Returns how many files this process may open; null on a system without `/proc`. */
export function maxOpenFiles(): number | null {
  try {
    const [, max] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return max === undefined ? null : Number(max);
  } catch {
    return null;
  }
}

/**
 * Returns `connections`, or a lower number if the maximum number of open files does not allow so many; in that case,
 * logs a warning. With more connections, the system would silently close some, and the process would be unable to open
 * files.
 *
 * @param files the maximum number of open files; null if unknown
 */
export function withinOpenFiles(connections: number, files: number | null, logger: Logger): number {
  const available = files === null ? connections : Math.max(files - RESERVED_FILES, 1);
  if (available >= connections) return connections;
  logger.warn(
    { max_open_files: files, max_connections: available },
    `This process may open ${files} files, so it accepts ${available} connections instead of ${connections}: raise the limit (ulimit -n, or LimitNOFILE in systemd).`,
  );
  return available;
}
