import { columns, inTransaction, number, type Pool, statement, type Transaction } from '@milepost/postgres';
import { columnsOf } from './schemas.ts';
import { ProjectionStatus, SourceState, WarningCount } from './status-schemas.ts';

/** Of the files that are being read, or were given up. */
const NEWEST_FILES = 10;
const MOST_WARNINGS = 50;

const READ_WARNINGS = statement('status-warnings', columnsOf(WarningCount))`
  SELECT topic, reason, field, sum(records) AS records FROM log.source_warning JOIN log.source USING (source_id)
  GROUP BY topic, reason, field ORDER BY max(source_id) DESC, records DESC, reason, field LIMIT $1`;

const READ_PROJECTIONS = statement('status-projections', columnsOf(ProjectionStatus))`
  SELECT generation.projection AS name, version, generation, checkpoint, head.position - checkpoint AS lag_events,
    coalesce(greatest(extract(epoch FROM clock_timestamp() - next.stored_at), 0), 0) AS lag_seconds,
    failed_position, failure
  FROM projection.generation CROSS JOIN log.head
  LEFT JOIN log.stored_event AS next ON next.position = checkpoint + 1
  WHERE live ORDER BY name`;

const READ_SOURCES = statement('status-sources', columnsOf(SourceState))`
  (SELECT topic, partition, next_offset, stopped, fault, fault_at FROM log.source
   WHERE topic NOT LIKE '%:%' ORDER BY topic, partition)
  UNION ALL
  (SELECT topic, partition, next_offset, stopped, fault, fault_at FROM log.source
   WHERE topic LIKE 'file:%' AND ended_at IS NULL AND NOT EXISTS (
     SELECT FROM log.source AS later WHERE later.topic = source.topic AND later.partition > source.partition)
   ORDER BY source_id DESC LIMIT $1)`;

const READ_HEAD = statement('status-head', { head_position: number })`SELECT position AS head_position FROM log.head`;

const READ_COUNTS = statement('status-counts', columns(number, 'dead_letters', 'files_ended'))`
  SELECT (SELECT count(*) FROM log.dead_letter WHERE resolution IS NULL) AS dead_letters,
    (SELECT count(*) FROM log.source WHERE ended_at IS NOT NULL) AS files_ended`;

async function inSnapshot<Result>(pool: Pool, read: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  return await inTransaction(pool, async (transaction) => {
    // One snapshot for all statements: otherwise a checkpoint could be ahead of the head read before it.
    await transaction.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return await read(transaction);
  });
}

async function readMoving(transaction: Transaction) {
  const projections = await transaction.rows(READ_PROJECTIONS);
  const sources = await transaction.rows(READ_SOURCES, [NEWEST_FILES]);
  const [{ head_position } = { head_position: 0 }] = await transaction.rows(READ_HEAD);
  return { head_position, projections, sources };
}

export type Progress = Awaited<ReturnType<typeof readProgress>>;

/** How far the log, the projections and the sources have come. `pool` acts in the role of ingest, projector or operator. */
export async function readProgress(pool: Pool) {
  return await inSnapshot(pool, readMoving);
}

/** What the database knows, as of one moment. `pool` acts in the operator's role. */
export async function readLogStatus(pool: Pool) {
  return await inSnapshot(pool, async (transaction) => {
    const moving = await readMoving(transaction);
    const [counts = { dead_letters: 0, files_ended: 0 }] = await transaction.rows(READ_COUNTS);
    const warnings = await transaction.rows(READ_WARNINGS, [MOST_WARNINGS]);
    return { ...moving, ...counts, warnings };
  });
}
