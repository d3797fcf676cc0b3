const DISK_FULL = /No space left on device|Disk quota exceeded|wrote only \d+ of \d+ bytes/;

/**
 * Returns the line of a program's output, or of the server's log, that best explains why the program ended. Exported
 * for tests.
 */
export function mostUsefulLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const isFault = (line: string) => /\b(FATAL|PANIC|error|ERROR):/.test(line);
  // When the disk is full, PostgreSQL also fails while it aborts, so the last fault is not the cause.
  const full = lines.findIndex((line) => DISK_FULL.test(line));
  const last = full >= 0 ? full : lines.findLastIndex(isFault);
  const [fault = 'no message', next = ''] = lines.slice(last);
  const [, detail] = /\bDETAIL:\s*(.*)/.exec(next) ?? [];
  const message = fault.replace(/^.*?\b(FATAL|PANIC|ERROR):\s*/, '').trim();
  return detail === undefined ? message : `${message} (${detail})`;
}

const SYSTEM_CAUSES: Record<string, string> = {
  ENOENT: 'a file is missing',
  EACCES: 'this user has no permission there',
  EPERM: 'this user has no permission there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'the path is a file, not a folder',
};

/**
 * Converts an operating-system error about our files to an error with a one-sentence message, and returns any other
 * error unchanged.
 */
export function clearError(error: unknown, directory: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error;
  const cause = SYSTEM_CAUSES[error.code];
  if (cause === undefined) return error;
  return new Error(`PostgreSQL cannot keep its files under ${directory}: ${cause} (${error.message}).`, {
    cause: error,
  });
}

/** Returns the error for a failed PostgreSQL program. `action` completes "PostgreSQL could not ...". */
export function programError(action: string, directory: string, output: string): Error {
  const cause = DISK_FULL.test(output)
    ? `the disk that holds ${directory} is full`
    : `its files are under ${directory}`;
  return new Error(`PostgreSQL could not ${action} (${cause}): ${mostUsefulLine(output)}`);
}
