import type { Pool, RetryOptions } from '@milepost/postgres';
import { ArchiveDamagedError, readArchiveLines } from './read-lines.ts';
import { Verification, type VerifiedArchive } from './verification.ts';

export interface VerifyArchiveOptions {
  /** Connections in the role `milepost_operator`. */
  pool: Pool;
  file: string;
  signal: AbortSignal;
  onProgress?: (lines: number, total: number) => void;
  /** Told of each passing fault, before the wait (in milliseconds) for the next attempt. */
  onFault?: RetryOptions['onFault'];
}

const LINES_PER_PROGRESS = 100;

/**
 * Reads an archive back and compares it with the log: each line is a record that ingest would take, with the content,
 * the effect and the predecessor that the log has at its position, and the lines are the archive's whole range in order.
 * From where and when a record came is not compared: a log restored from the archive says otherwise, and is as good.
 * Damage of the file is a difference like any other.
 *
 * @throws when the file cannot be opened
 */
export async function verifyArchive(options: VerifyArchiveOptions): Promise<VerifiedArchive> {
  const { pool, file, signal, onProgress = () => {}, onFault = () => {} } = options;
  const verification = new Verification(pool, { signal, onFault });
  let damage: string | null = null;
  try {
    for await (const line of readArchiveLines(file)) {
      signal.throwIfAborted();
      await verification.take(line);
      const { range, lines } = verification;
      if (range !== null && lines % LINES_PER_PROGRESS === 0) onProgress(lines, range.through - range.from + 1);
    }
  } catch (error) {
    if (!(error instanceof ArchiveDamagedError)) throw error;
    damage = error.message;
  }
  return await verification.end(damage);
}
