import { readHeadPosition } from '@milepost/event-log/head';
import {
  boolean,
  columns,
  inSnapshot,
  nullable,
  number,
  type Pool,
  type RowOf,
  statement,
  type Transaction,
  text,
  timestamp,
} from '@milepost/postgres';
import { readKafkaFindings } from './kafka-findings.ts';

/** The maximum number of files that are listed as unfinished: being read, or abandoned. */
const MAX_FILES = 10;
const MAX_WARNINGS = 50;

const READ_WARNINGS = statement('status-warnings', {
  ...columns(text, 'topic', 'reason', 'field'),
  records: number,
})`
  SELECT topic, reason, field, sum(records) AS records FROM source_warning JOIN log_source USING (source_id)
  GROUP BY topic, reason, field ORDER BY max(source_id) DESC, records DESC, reason, field LIMIT $1`;

const READ_PROJECTIONS = statement('status-projections', {
  name: text,
  ...columns(number, 'version', 'generation', 'checkpoint', 'lag_events', 'lag_seconds'),
  failed_position: nullable(number),
  failure: nullable(text),
})`
  SELECT generation.projection AS name, version, generation, checkpoint, head.position - checkpoint AS lag_events,
    coalesce(greatest(extract(epoch FROM clock_timestamp() - next.stored_at), 0), 0) AS lag_seconds,
    failed_position, failure
  FROM generation CROSS JOIN log_head head
  LEFT JOIN stored_event AS next ON next.position = checkpoint + 1
  WHERE live ORDER BY name`;

const READ_SOURCES = statement('status-sources', {
  topic: text,
  ...columns(number, 'partition', 'next_offset'),
  stopped: boolean,
  fault: nullable(text),
  fault_at: nullable(timestamp),
})`
  (SELECT topic, partition, next_offset, stopped, fault, fault_at FROM log_source source
   WHERE topic NOT LIKE '%:%' ORDER BY topic, partition)
  UNION ALL
  (SELECT topic, partition, next_offset, stopped, fault, fault_at FROM log_source source
   WHERE topic LIKE 'file:%' AND ended_at IS NULL AND NOT EXISTS (
     SELECT FROM log_source AS later WHERE later.topic = source.topic AND later.partition > source.partition)
   ORDER BY source_id DESC LIMIT $1)`;

const READ_COUNTS = statement('status-counts', columns(number, 'dead_letters', 'set_aside', 'files_ended'))`
  SELECT (SELECT count(*) FROM dead_letter WHERE resolution IS NULL) AS dead_letters,
    (SELECT count(*) FROM set_aside) AS set_aside,
    (SELECT count(*) FROM log_source WHERE ended_at IS NOT NULL) AS files_ended`;

/** Reads the live generation of each projection, in the order of their names. */
export async function readProjectionStates(transaction: Transaction): Promise<RowOf<typeof READ_PROJECTIONS>[]> {
  return await transaction.rows(READ_PROJECTIONS);
}

async function readMoving(transaction: Transaction) {
  const projections = await readProjectionStates(transaction);
  const sources = await transaction.rows(READ_SOURCES, [MAX_FILES]);
  const head_position = await readHeadPosition(transaction);
  return { head_position, projections, sources };
}

export type Progress = Awaited<ReturnType<typeof readProgress>>;

/**
 * Reads the progress of the log, the projections and the sources. `pool` acts as the ingest, projector or operator
 * role.
 */
export async function readProgress(pool: Pool) {
  return await inSnapshot(pool, readMoving);
}

/** Reads the status of the database in one snapshot. `pool` acts as the operator role. */
export async function readLogStatus(pool: Pool) {
  return await inSnapshot(pool, async (transaction) => {
    const moving = await readMoving(transaction);
    const [counts = { dead_letters: 0, set_aside: 0, files_ended: 0 }] = await transaction.rows(READ_COUNTS);
    const warnings = await transaction.rows(READ_WARNINGS, [MAX_WARNINGS]);
    const kafka_findings = await readKafkaFindings(transaction);
    return { ...moving, ...counts, warnings, kafka_findings };
  });
}
