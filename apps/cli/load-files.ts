import type { AppendCounts } from '@milepost/event-log';
import { ingestFiles } from '@milepost/ingest/files';
import { type Pool, ROLES } from '@milepost/postgres';
import { messageOf } from '@milepost/service';
import { startProgress } from './output/progress.ts';
import { waitForReadTables } from './wait-for-read-tables.ts';

/** A fault that lasts is told once in this time. */
const FAULT_MILLISECONDS = 10_000;

/** Opens a pool in a role, runs the work and closes the pool. */
export type WithPool = <Result>(
  role: (typeof ROLES)['ingest' | 'operator'],
  work: (pool: Pool) => Promise<Result>,
) => Promise<Result>;

/** Ingests files with a progress bar and returns what became of their records and where the log ends. */
export async function loadFiles(
  withPool: WithPool,
  files: string[],
  signal: AbortSignal,
): Promise<{ counts: AppendCounts; headPosition: number }> {
  const progress = startProgress('Ingesting', 'B');
  const onProgress = ({ bytesRead, totalBytes }: { bytesRead: number; totalBytes: number | null }) =>
    progress.update(bytesRead, totalBytes);
  let told = 0;
  const onFault = (error: unknown) => {
    if (performance.now() - told < FAULT_MILLISECONDS && told > 0) return;
    told = performance.now();
    process.stderr.write(`The database does not take the records at the moment: ${messageOf(error)}. Trying again.\n`);
  };
  try {
    return await withPool(ROLES.ingest, (pool) => ingestFiles({ pool, files, signal, onProgress, onFault }));
  } finally {
    progress.stop();
  }
}

/** Waits with a progress bar until the read tables show the log up to `position`. */
export async function showInReadTables(withPool: WithPool, position: number, signal: AbortSignal): Promise<void> {
  const progress = startProgress('Applying', ' stored events');
  const onProgress = (checkpoint: number) => progress.update(Math.min(checkpoint, position), position);
  try {
    await withPool(ROLES.operator, (pool) => waitForReadTables(pool, position, { signal, onProgress }));
  } finally {
    progress.stop();
  }
}
