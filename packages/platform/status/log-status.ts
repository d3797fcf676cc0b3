import { ONLY_FILES, ONLY_TOPICS } from '@milepost/domain/ids';
import { column, columns, type RowOf, statement, type Transaction } from '@milepost/postgres';

/** The maximum number of unfinished files to list. Such a file is being read or was abandoned. */
const MAX_FILES = 10;
/** This is far longer than the few seconds between the heartbeats that ingest sends for its sources. */
export const MAX_SECONDS_WITHOUT_INGEST = 60;

const READ_PROJECTIONS = statement('status-projections', {
  name: 'text',
  ...columns('number', 'version', 'generation', 'checkpoint', 'lag_events', 'lag_seconds'),
  failed_position: 'number?',
  failure: 'text?',
})`
  SELECT generation.projection AS name, version, generation, checkpoint, head.position - checkpoint AS lag_events,
    coalesce(greatest(extract(epoch FROM clock_timestamp() - next.stored_at), 0), 0) AS lag_seconds,
    failed_position, failure
  FROM generation CROSS JOIN log_head head
  LEFT JOIN stored_event AS next ON next.position = checkpoint + 1
  WHERE live ORDER BY name`;

const READ_HEAD = statement('status-head', { position: 'number' })`SELECT position FROM log_head`;

const READ_SOURCES = statement('status-sources', {
  topic: 'text',
  ...columns('number', 'partition', 'next_offset'),
  stopped: 'boolean',
  fault: 'text?',
  fault_at: 'timestamp?',
})`
  (SELECT topic, partition, next_offset, stopped, fault, fault_at FROM log_source source
   WHERE ${ONLY_TOPICS} ORDER BY topic, partition)
  UNION ALL
  (SELECT topic, partition, next_offset, stopped, fault, fault_at FROM log_source source
   WHERE ${ONLY_FILES} AND ended_at IS NULL AND NOT EXISTS (
     SELECT FROM log_source AS later WHERE later.topic = source.topic AND later.partition > source.partition)
   ORDER BY source_id DESC LIMIT $1)`;

const READ_HEALTH = statement('status-health', {
  /** The age of the oldest stored event that has not been applied yet; 0 when there is none. */
  lag_seconds: 'number',
  /** Seconds since the last heartbeat from a process that held a source; null when there was none. */
  missing_seconds: 'number?',
})`
  SELECT coalesce((SELECT lag_seconds FROM applied_lag), 0) AS lag_seconds,
    (SELECT date_part('epoch', now() - max(held_at)) FROM log_source) AS missing_seconds`;

const READ_FINDINGS = statement('status-kafka-findings', {
  topic: 'text?',
  severity: column<'error' | 'warning'>('text'),
  ...columns('text', 'code', 'message'),
  found_at: 'timestamp',
})`
  SELECT nullif(topic, '') AS topic, CASE WHEN is_warning THEN 'warning' ELSE 'error' END AS severity, code, message, found_at
  FROM kafka_finding finding ORDER BY is_warning, finding.topic, code LIMIT 100`;

/** Reads the live generation of each projection, ordered by name. */
export async function readProjectionStates(transaction: Transaction): Promise<RowOf<typeof READ_PROJECTIONS>[]> {
  return await transaction.rows(READ_PROJECTIONS);
}

export type Progress = Awaited<ReturnType<typeof readProgress>>;

/** Reads the progress of the log, the projections and the sources, as the ingest, projector or operator role. */
export async function readProgress(transaction: Transaction) {
  const projections = await readProjectionStates(transaction);
  const sources = await transaction.rows(READ_SOURCES, [MAX_FILES]);
  const { position: head_position } = await transaction.row(READ_HEAD);
  return { head_position, projections, sources };
}

export type Health = Awaited<ReturnType<typeof readHealth>>;

/** Reads whether records are arriving and being applied, as the operator role. Findings that are errors come first. */
export async function readHealth(transaction: Transaction) {
  const progress = await readProgress(transaction);
  const figures = await transaction.row(READ_HEALTH);
  return { ...progress, ...figures, kafka_findings: await transaction.rows(READ_FINDINGS) };
}

/** Returns whether no process is reading from Kafka. */
export function isIngestMissing({ missing_seconds }: Pick<Health, 'missing_seconds'>): boolean {
  return missing_seconds === null || missing_seconds > MAX_SECONDS_WITHOUT_INGEST;
}
