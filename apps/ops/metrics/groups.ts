import { DEAD_LETTER_REASONS } from '@milepost/domain/dead-letter-reasons';
import { isTopic } from '@milepost/domain/ids';
import { addGauges } from '@milepost/metrics';
import { column, columns, type Pool, statement, type Transaction } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { listOpenReplays } from '@milepost/replay';
import type { Health } from '@milepost/status/log-status';
import { Counter, type Registry } from 'prom-client';

/** The maximum number of partitions that get series, so that a misconfigured source cannot flood Prometheus. */
const MAX_PARTITIONS = 1_000;

/** Adds the progress of the log, of the live generations and of the sources, and the findings about Kafka. */
export function addHealth(registry: Registry, { head_position, projections, sources, kafka_findings }: Health): void {
  addGauges(registry, 'milepost_', [], [{ head_position }], { head_position: 'Last position in the event log.' });
  const states = projections.map((each) => ({ ...each, projection: each.name, failed: each.failure === null ? 0 : 1 }));
  addGauges(registry, 'milepost_projection_', ['projection', 'generation', 'version'], states, {
    checkpoint: 'Position up to which stored events have been applied to the live generation.',
    lag_events: 'Stored events not yet applied to the live generation.',
    lag_seconds: 'Age of the oldest stored event not yet applied to the live generation; 0 if there is none.',
    failed: '1 if the projection has stopped at a stored event that it cannot apply, otherwise 0.',
  });
  // Files and operators' sources are omitted, because each file would become a permanent series.
  const partitions = sources.filter(({ topic }) => isTopic(topic)).slice(0, MAX_PARTITIONS);
  const offsets = partitions.map(({ topic, partition, next_offset, fault }) => ({
    topic,
    partition,
    next_offset,
    fault: fault === null ? 0 : 1,
  }));
  addGauges(registry, 'milepost_source_', ['topic', 'partition'], offsets, {
    next_offset: 'Offset of the next record to be stored, by topic and partition.',
    fault: '1 while the partition cannot be read, otherwise 0. The status shows the reason.',
  });
  const findings = kafka_findings.map(({ topic, code, severity }) => ({ topic, code, severity, kafka_finding: 1 }));
  addGauges(registry, 'milepost_', ['topic', 'code', 'severity'], findings, {
    kafka_finding:
      '1 for each problem that ingest finds with Kafka. The label `topic` is empty for problems with the connection or the group.',
  });
}

/**
 * Adds the metrics on one subject, which are read in the scrape's snapshot. Each scrape uses a new registry, so that a
 * row deleted from the database also disappears from the metrics.
 */
type MetricGroup = (registry: Registry, transaction: Transaction) => Promise<void>;

const RECORDS = statement('metrics-records', columns('number', 'stored', 'duplicate', 'dead_letter'))`
  SELECT coalesce(sum(records_stored), 0) AS stored,
    coalesce(sum(records_duplicate), 0) AS duplicate,
    coalesce(sum(records_dead_letter), 0)
      + (SELECT count(*) FROM dead_letter WHERE resolution IN ('retried', 'duplicate')) AS dead_letter
  FROM log_source`;

/**
 * The number of records by outcome. A retried dead letter is counted under its new outcome and remains counted as a
 * dead letter, because Prometheus would interpret a decrease in a counter as a restart.
 */
const recordMetrics: MetricGroup = async (registry, transaction) => {
  const outcomes = await transaction.row(RECORDS);
  const records = new Counter({
    name: 'milepost_records_total',
    help: 'Records read, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const [outcome, count] of Object.entries(outcomes)) records.inc({ outcome }, count);
};

/** A state without generations has a row too. */
const GENERATIONS = statement('metrics-generations', {
  ...columns('text', 'projection', 'state'),
  generations: 'number',
})`
  SELECT projection, state, count(*) FILTER (WHERE state =
    CASE WHEN live THEN 'live' WHEN retired_at IS NULL THEN 'building' ELSE 'retired' END) AS generations
  FROM generation CROSS JOIN unnest(ARRAY['live', 'building', 'retired']) AS state
  WHERE dropped_at IS NULL GROUP BY projection, state ORDER BY projection, state`;

/** The number of generations for each read table. Each generation takes up space. */
const generationMetrics: MetricGroup = async (registry, transaction) => {
  addGauges(registry, 'milepost_', ['projection', 'state'], await transaction.rows(GENERATIONS), {
    generations: 'Generations of a read table: live, being built, or kept for a rollback.',
  });
};

const OPEN_LETTERS = statement('metrics-dead-letters', { reason: 'text', dead_letters_open: 'number' })`
  SELECT reason, count(*) AS dead_letters_open FROM dead_letter WHERE resolution IS NULL GROUP BY reason`;

/**
 * The open dead letters by reason. A reason without dead letters has the value 0, so that alerts can compare it with
 * later values.
 */
const deadLetterMetrics: MetricGroup = async (registry, transaction) => {
  const none = Object.keys(DEAD_LETTER_REASONS).map((reason) => ({ reason, dead_letters_open: 0 }));
  const open = await transaction.rows(OPEN_LETTERS);
  addGauges(registry, 'milepost_', ['reason'], [...none, ...open], { dead_letters_open: 'Open dead letters.' });
};

const NEWEST_AUDIT = statement('metrics-audit', {
  ...columns('number', 'equal', 'seconds', 'age_seconds'),
  faults: column<{ check: string; projection: string | null; faults: number }[]>('json'),
})`
  SELECT equal::int, seconds, extract(epoch FROM clock_timestamp() - at)::float8 AS age_seconds,
    (SELECT coalesce(json_agg(fault), '[]') FROM (
       SELECT fault ->> 'check' AS "check", fault ->> 'projection' AS projection, count(*) AS faults
       FROM jsonb_array_elements(report -> 'faults') AS fault GROUP BY 1, 2 ORDER BY 1, 2) fault) AS faults
  FROM audit WHERE report ->> 'projection' IS NULL ORDER BY audit_id DESC LIMIT 1`;

/** The result of the latest audit of all projections. The metrics are missing before the first audit. */
const auditMetrics: MetricGroup = async (registry, transaction) => {
  const [row] = await transaction.rows(NEWEST_AUDIT);
  if (!row) return;
  const { faults, ...figures } = row;
  addGauges(registry, 'milepost_audit_', [], [figures], {
    equal: '1 if the latest audit of all projections found nothing, 0 if it found faults or failed.',
    age_seconds: 'Time since the latest audit of all projections.',
    seconds: 'Duration of the latest audit of all projections.',
  });
  addGauges(registry, 'milepost_audit_', ['check', 'projection'], faults, {
    faults: 'Faults found by the latest audit of all projections. For faults in the log, `projection` is empty.',
  });
};

/** The groups that each scrape reads from the database, in this order. */
export const GROUPS: readonly MetricGroup[] = [recordMetrics, generationMetrics, deadLetterMetrics, auditMetrics];

/** The progress of the open replays. The metrics are named after the fields in `GET /replays`. */
export async function replayMetrics(registry: Registry, pool: Pool): Promise<void> {
  const views = await listOpenReplays(pool, PROJECTIONS);
  const rows = views.map((view) => {
    const { id: replay, projection, phase, position, target, trips_per_second, remaining_seconds } = view;
    return { replay, projection, phase, position, target, trips_per_second, remaining_seconds, replay_phase: 1 };
  });
  addGauges(registry, 'milepost_replay_', ['replay', 'projection'], rows, {
    position: 'The log position that a replay has reached.',
    target: 'The log position at which a replay ends.',
    trips_per_second: 'Trips per second; missing while there is no measurement.',
    remaining_seconds: 'Remaining time; missing while there is no measurement.',
  });
  addGauges(registry, 'milepost_', ['replay', 'projection', 'phase'], rows, {
    replay_phase: '1 for the current phase of a replay.',
  });
  const halted = ['paused', 'failed'].map((reason) => {
    return { reason, replays_halted: views.filter((view) => view.halted === reason).length };
  });
  addGauges(registry, 'milepost_', ['reason'], halted, {
    replays_halted: 'Paused or failed replays that are waiting to be resumed.',
  });
}
