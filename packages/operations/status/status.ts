import type { Pool } from '@milepost/postgres';
import type { Projection } from '@milepost/projections/engine';
import { listOpenReplays, type ReplayView } from '@milepost/replay';
import { type AskEndOffsets, type SourceStatus, topicsOf, withEndOffsets } from './end-offsets.ts';
import { type LogStatus, readLogStatus } from './log-status.ts';

export interface Status extends LogStatus {
  sources: SourceStatus[];
  /** Those that are not at their end. */
  replays: ReplayView[];
}

/**
 * How far the log, the read tables and the sources have come.
 *
 * @param pool acts in the operator's role
 * @param askEndOffsets asked when records came from Kafka; null when there is nobody to ask
 * @param projections those of this program, by which the progress of replays is told
 */
export async function readStatus(
  pool: Pool,
  askEndOffsets: AskEndOffsets | null,
  projections: readonly Projection[],
): Promise<Status> {
  const status = await readLogStatus(pool);
  const topics = topicsOf(status.sources);
  const ends = askEndOffsets === null || topics.length === 0 ? new Map() : await askEndOffsets(topics);
  const replays = await listOpenReplays(pool, projections);
  return { ...status, sources: withEndOffsets(status.sources, ends), replays };
}
