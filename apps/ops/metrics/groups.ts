import { DEAD_LETTER_REASONS } from '@milepost/domain/dead-letter-reasons';
import { columns, json, number, type Pool, statement, type Transaction, text } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { listOpenReplays } from '@milepost/replay';
import { Counter, Gauge, type Registry } from 'prom-client';

type Row = Readonly<Record<string, string | number | null>>;

/** Makes a gauge for each figure: its value in each row, under the labels that stand there too. A null is left out. */
export function addGauges(
  registry: Registry,
  prefix: string,
  labelNames: readonly string[],
  rows: readonly Row[],
  help: Readonly<Record<string, string>>,
): void {
  for (const [figure, text] of Object.entries(help)) {
    const gauge = new Gauge({ name: `${prefix}${figure}`, help: text, labelNames, registers: [registry] });
    for (const row of rows) {
      const labels = Object.fromEntries(labelNames.map((name) => [name, row[name] ?? '']));
      const value = row[figure];
      if (typeof value === 'number') gauge.set(labels, value);
    }
  }
}

/**
 * Metrics that belong together: read in the scrape's one snapshot, and put as new metrics into its registry, so that
 * what is gone from the database is gone from the metrics.
 */
type MetricGroup = (registry: Registry, transaction: Transaction) => Promise<void>;

const LOG = statement('metrics-log', columns(number, 'position', 'stored', 'duplicate', 'dead_letter'))`
  SELECT (SELECT position FROM log.head), coalesce(sum(records_stored), 0) AS stored,
    coalesce(sum(records_duplicate), 0) AS duplicate,
    coalesce(sum(records_dead_letter), 0)
      + (SELECT count(*) FROM log.dead_letter WHERE resolution IN ('retried', 'duplicate')) AS dead_letter
  FROM log.source`;

/**
 * Where the log ends, and what has become of all records. A dead letter that was stored later, or found to be a duplicate,
 * counts as both: a counter that went down would look like a restart to Prometheus.
 */
const logMetrics: MetricGroup = async (registry, transaction) => {
  const [row] = await transaction.rows(LOG);
  const { position = 0, ...outcomes } = row ?? {};
  const head = { head_position: position };
  addGauges(registry, 'milepost_', [], [head], { head_position: 'Last position of the event log.' });
  const records = new Counter({
    name: 'milepost_records_total',
    help: 'Records read, by what became of them.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const [outcome, count] of Object.entries(outcomes)) records.inc({ outcome }, count);
};

const LIVE_GENERATIONS = statement('metrics-projections', {
  projection: text,
  ...columns(number, 'generation', 'version', 'checkpoint', 'lag_events', 'lag_seconds', 'failed'),
})`
  SELECT generation.projection, generation, version, checkpoint, head.position - checkpoint AS lag_events,
    coalesce(greatest(extract(epoch FROM clock_timestamp() - next.stored_at), 0), 0) AS lag_seconds,
    (failure IS NOT NULL)::int AS failed
  FROM projection.generation CROSS JOIN log.head
  LEFT JOIN log.stored_event AS next ON next.position = checkpoint + 1
  WHERE live ORDER BY generation.projection`;

/** How far the live generation of each projection has come. */
const projectionMetrics: MetricGroup = async (registry, transaction) => {
  const rows = await transaction.rows(LIVE_GENERATIONS);
  addGauges(registry, 'milepost_projection_', ['projection', 'generation', 'version'], rows, {
    checkpoint: 'Position up to which the live generation has been applied.',
    lag_events: 'Stored events that the live generation does not show yet.',
    lag_seconds: 'Age of the oldest stored event that the live generation does not show yet; 0 when there is none.',
    failed: '1 while the projection stands still at a stored event that it cannot apply.',
  });
};

const STATES = ['live', 'building', 'retired'] as const;

const GENERATIONS = statement('metrics-generations', { projection: text, ...columns(number, ...STATES) })`
  SELECT projection, count(*) FILTER (WHERE live) AS live,
    count(*) FILTER (WHERE NOT live AND retired_at IS NULL) AS building,
    count(*) FILTER (WHERE retired_at IS NOT NULL) AS retired
  FROM projection.generation WHERE dropped_at IS NULL GROUP BY projection ORDER BY projection`;

/** How many generations of each read table there are, all of which take space. */
const generationMetrics: MetricGroup = async (registry, transaction) => {
  const rows = await transaction.rows(GENERATIONS);
  const states = rows.flatMap((row) =>
    STATES.map((state) => ({ projection: row.projection, state, generations: row[state] })),
  );
  addGauges(registry, 'milepost_', ['projection', 'state'], states, {
    generations: 'Generations of a read table: live, being built, or kept for a roll back.',
  });
};

const OPEN_LETTERS = statement('metrics-dead-letters', {
  reason: text,
  count: number,
})`SELECT reason, count(*) FROM log.dead_letter WHERE resolution IS NULL GROUP BY reason`;

/** Dead letters that nobody has settled; 0, not missing, for reasons that none has, so that alerts can compare. */
const deadLetterMetrics: MetricGroup = async (registry, transaction) => {
  const rows = await transaction.rows(OPEN_LETTERS);
  const none = Object.keys(DEAD_LETTER_REASONS).map((reason) => ({ reason, dead_letters_open: 0 }));
  const open = rows.map(({ reason, count }) => ({ reason, dead_letters_open: count }));
  addGauges(registry, 'milepost_', ['reason'], [...none, ...open], {
    dead_letters_open: 'Dead letters that nobody has settled.',
  });
};

/** Partitions beyond this are left out: a misconfigured source must not flood Prometheus with series. */
const MOST_PARTITIONS = 1_000;

const SOURCES = statement('metrics-sources', { topic: text, ...columns(number, 'partition', 'next_offset', 'fault') })`
  SELECT topic, partition, next_offset, (fault IS NOT NULL)::int AS fault FROM log.source
  WHERE topic NOT LIKE '%:%' ORDER BY topic, partition LIMIT $1`;

/**
 * Where reading of each partition goes on, and whether it does. Files and what operators did, named with a colon, are left
 * out: each file would be a series of its own, for ever.
 */
const sourceMetrics: MetricGroup = async (registry, transaction) => {
  const rows = await transaction.rows(SOURCES, [MOST_PARTITIONS]);
  addGauges(registry, 'milepost_source_', ['topic', 'partition'], rows, {
    next_offset: 'Offset of the next record to be stored, by topic and partition.',
    fault: '1 while nothing comes from the partition: the status says why. Else 0.',
  });
};

const NEWEST_AUDIT = statement('metrics-audit', {
  ...columns(number, 'equal', 'seconds', 'age_seconds'),
  faults: json<{ check: string; projection: string | null; count: number }[]>(),
})`
  SELECT equal::int, seconds, extract(epoch FROM clock_timestamp() - at)::float8 AS age_seconds,
    (SELECT coalesce(json_agg(fault), '[]') FROM (
       SELECT fault ->> 'check' AS "check", fault ->> 'projection' AS projection, count(*) AS count
       FROM jsonb_array_elements(report -> 'faults') AS fault GROUP BY 1, 2 ORDER BY 1, 2) fault) AS faults
  FROM projection.audit WHERE report ->> 'projection' IS NULL ORDER BY audit_id DESC LIMIT 1`;

/** What the newest audit of all projections found; missing while there was none. */
const auditMetrics: MetricGroup = async (registry, transaction) => {
  const [row] = await transaction.rows(NEWEST_AUDIT);
  if (!row) return;
  const { faults, ...figures } = row;
  addGauges(registry, 'milepost_audit_', [], [figures], {
    equal: '1 if the newest audit of all projections found nothing, 0 if it found faults or failed.',
    age_seconds: 'Since the newest audit of all projections.',
    seconds: 'How long the newest audit of all projections took.',
  });
  const counts = faults.map(({ check, projection, count }) => ({ check, projection, faults: count }));
  addGauges(registry, 'milepost_audit_', ['check', 'projection'], counts, {
    faults: 'Faults that the newest audit of all projections found; those of the log have no projection.',
  });
};

/** All that is read from the database in a scrape's one snapshot, in this order. */
export const GROUPS: readonly MetricGroup[] = [
  logMetrics,
  projectionMetrics,
  generationMetrics,
  deadLetterMetrics,
  sourceMetrics,
  auditMetrics,
];

/** How the replays fare that are not at their end. The names are those of `GET /replays`. */
export async function replayMetrics(registry: Registry, pool: Pool): Promise<void> {
  const views = await listOpenReplays(pool, PROJECTIONS);
  const rows = views.map((view) => {
    const { id: replay, projection, phase, position, target, trips_per_second, remaining_seconds } = view;
    return { replay, projection, phase, position, target, trips_per_second, remaining_seconds, replay_phase: 1 };
  });
  addGauges(registry, 'milepost_replay_', ['replay', 'projection'], rows, {
    position: 'How far a replay has come, as a position of the log.',
    target: 'The position to which a replay goes.',
    trips_per_second: 'Missing while nothing is measured.',
    remaining_seconds: 'Missing while nothing is measured.',
  });
  addGauges(registry, 'milepost_', ['replay', 'projection', 'phase'], rows, {
    replay_phase: '1 for the phase in which a replay is.',
  });
  const halted = ['paused', 'failed'].map((reason) => {
    return { reason, replays_halted: views.filter((view) => view.halted === reason).length };
  });
  addGauges(registry, 'milepost_', ['reason'], halted, {
    replays_halted: 'Replays that stand still until somebody resumes them.',
  });
}
