const DISK_FULL = /No space left on device|Disk quota exceeded|wrote only \d+ of \d+ bytes/;

/**
 * Returns the line in a program's output, or in the server's log, that best explains why the program ended. Exported
 * for tests.
 */
export function mostUsefulLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const isFault = (line: string) => /\b(FATAL|PANIC|error|ERROR):/.test(line);
  // When the disk is full, PostgreSQL logs more faults while it aborts, so the last fault is not the cause.
  const full = lines.findIndex((line) => DISK_FULL.test(line));
  const last = full >= 0 ? full : lines.findLastIndex(isFault);
  const [fault = 'no message', next = ''] = lines.slice(last);
  const [, detail] = /\bDETAIL:\s*(.*)/.exec(next) ?? [];
  const message = fault.replace(/^.*?\b(FATAL|PANIC|ERROR):\s*/, '').trim();
  return detail === undefined ? message : `${message} (${detail})`;
}

/** Returns the error for a failed PostgreSQL program. `action` completes "PostgreSQL could not ...". */
export function programError(action: string, directory: string, output: string): Error {
  const cause = DISK_FULL.test(output)
    ? `the disk that holds ${directory} is full`
    : `its files are under ${directory}`;
  return new Error(`PostgreSQL could not ${action} (${cause}): ${mostUsefulLine(output)}`);
}
