interface Panel {
  title: string;
  /** The unit in Grafana's notation. */
  unit: 'none' | 'short' | 's' | 'bytes' | 'Bps' | 'reqps' | 'ops' | 'percentunit';
  /** The queries, each with the text for its series in the legend. */
  queries: readonly [expression: string, legend: string][];
}

export interface Dashboard {
  /** The name of the dashboard's file and its id in Grafana. */
  id: string;
  title: string;
  panels: readonly Panel[];
}

const RATE = '[$__rate_interval]';

function panel(title: string, unit: Panel['unit'], ...queries: Panel['queries']): Panel {
  return { title, unit, queries };
}

/** Returns the query for a quantile of a histogram, grouped by the given labels. */
function quantile(share: number, histogram: string, by: string, selector = ''): string {
  const labels = by === '' ? 'le' : `le, ${by}`;
  return `histogram_quantile(${share}, sum by (${labels}) (rate(${histogram}_bucket${selector}${RATE})))`;
}

const REQUESTS = 'milepost_http_request_duration_seconds';
const STEPS = 'milepost_ingest_step_duration_seconds';
const BATCHES = 'milepost_projector_batch_duration_seconds';

const pipeline: Dashboard = {
  id: 'milepost-pipeline',
  title: 'Milepost: pipeline',
  panels: [
    panel('Records per second', 'ops', [`sum by (topic) (rate(milepost_ingest_records_total${RATE}))`, '{{topic}}']),
    panel('Bytes per second', 'Bps', [`sum by (topic) (rate(milepost_ingest_bytes_total${RATE}))`, '{{topic}}']),
    panel('Records not stored yet', 'short', [
      'sum by (topic, partition) (milepost_ingest_lag_records)',
      '{{topic}}/{{partition}}',
    ]),
    panel('Age of the read tables', 's', ['max by (projection) (milepost_projection_lag_seconds)', '{{projection}}']),
    panel('Stored events not applied yet', 'short', [
      'max by (projection) (milepost_projection_lag_events)',
      '{{projection}}',
    ]),
    panel('Time per ingest step, 95th percentile', 's', [quantile(0.95, STEPS, 'step'), '{{step}}']),
    panel('Share of time spent in each ingest step', 'percentunit', [
      `sum by (step) (rate(${STEPS}_sum${RATE}))`,
      '{{step}}',
    ]),
    panel('Records per batch, mean', 'short', [
      `sum(rate(milepost_ingest_batch_records_sum${RATE})) / sum(rate(milepost_ingest_batch_records_count${RATE}))`,
      'records',
    ]),
    panel('Time per projection batch, 95th percentile', 's', [quantile(0.95, BATCHES, 'projection'), '{{projection}}']),
    panel('Dead letters per second', 'ops', [
      `sum by (reason) (rate(milepost_ingest_dead_letters_total${RATE}))`,
      '{{reason}}',
    ]),
    panel('Open dead letters', 'short', ['sum by (reason) (milepost_dead_letters_open)', '{{reason}}']),
    panel('Ingest queue', 'bytes', ['sum by (instance) (milepost_ingest_queue_bytes)', '{{instance}}']),
    panel(
      'Pauses and rebalances',
      'short',
      [`sum(increase(milepost_ingest_fetch_pauses_total${RATE}))`, 'fetch pauses'],
      [`sum(increase(milepost_ingest_rebalances_total${RATE}))`, 'rebalances'],
    ),
    panel('Records by outcome', 'ops', [`sum by (outcome) (rate(milepost_records_total${RATE}))`, '{{outcome}}']),
  ],
};

const api: Dashboard = {
  id: 'milepost-api',
  title: 'Milepost: API',
  panels: [
    panel('Requests per second by status', 'reqps', [`sum by (status) (rate(${REQUESTS}_count${RATE}))`, '{{status}}']),
    panel('Requests per second by route', 'reqps', [`sum by (route) (rate(${REQUESTS}_count${RATE}))`, '{{route}}']),
    panel(
      'Duration of requests to the endpoints',
      's',
      [quantile(0.5, REQUESTS, '', '{route=~"/api/v1/.*"}'), '50%'],
      [quantile(0.99, REQUESTS, '', '{route=~"/api/v1/.*"}'), '99%'],
    ),
    panel('Duration by route, 99%', 's', [quantile(0.99, REQUESTS, 'route'), '{{route}}']),
    panel(
      'Admission',
      'reqps',
      [`sum(rate(milepost_http_requests_admitted_total${RATE}))`, 'admitted'],
      [`sum(rate(milepost_http_requests_refused_total${RATE}))`, 'refused'],
      [`sum(rate(milepost_http_requests_rate_limited_total${RATE}))`, 'beyond the rate limit'],
    ),
    panel(
      'Current requests',
      'short',
      ['sum(milepost_http_requests_running)', 'running'],
      ['sum(milepost_http_requests_waiting)', 'waiting'],
      ['sum(milepost_http_requests_running_limit)', 'limit'],
    ),
    panel('Event-loop delay, 99%', 's', ['nodejs_eventloop_lag_p99_seconds', '{{instance}}']),
    panel('Memory', 'bytes', ['process_resident_memory_bytes', '{{instance}}']),
    panel('Processor time', 'percentunit', [`rate(process_cpu_seconds_total${RATE})`, '{{instance}}']),
  ],
};

const replays: Dashboard = {
  id: 'milepost-replays',
  title: 'Milepost: replays and audits',
  panels: [
    panel(
      'Replay progress',
      'short',
      ['max by (replay, projection) (milepost_replay_position)', '{{replay}} {{projection}}: position'],
      ['max by (replay, projection) (milepost_replay_target)', '{{replay}} {{projection}}: target'],
    ),
    panel('Phases', 'none', ['milepost_replay_phase == 1', '{{replay}} {{projection}}: {{phase}}']),
    panel('Halted replays', 'short', ['milepost_replays_halted', '{{reason}}']),
    panel('Generations', 'short', ['milepost_generations', '{{projection}}: {{state}}']),
    panel('Latest audit found no faults', 'none', ['milepost_audit_equal', 'equal']),
    panel('Age of the latest audit', 's', ['milepost_audit_age_seconds', 'age']),
    panel('Duration of the latest audit', 's', ['milepost_audit_seconds', 'duration']),
    panel('Running jobs', 'short', ['sum by (kind) (milepost_jobs_running)', '{{kind}}']),
    panel('Jobs per second', 'ops', [
      `sum by (kind, outcome) (rate(milepost_job_duration_seconds_count${RATE}))`,
      '{{kind}}: {{outcome}}',
    ]),
  ],
};

const postgres: Dashboard = {
  id: 'milepost-postgresql',
  title: 'Milepost: PostgreSQL',
  panels: [
    panel('PostgreSQL responds', 'none', ['milepost_up', '{{instance}}']),
    panel('Connections', 'short', [
      'sum by (instance, pool, state) (milepost_database_connections)',
      '{{instance}} {{pool}}: {{state}}',
    ]),
    panel('Share of connections in use', 'percentunit', [
      'sum by (instance, pool) (milepost_database_connections{state="used"}) / sum by (instance, pool) (milepost_database_connections_limit)',
      '{{instance}} {{pool}}',
    ]),
    panel('Callers waiting for a connection', 'short', ['milepost_database_callers_waiting', '{{instance}} {{pool}}']),
    panel('Wait for the head of the log, 95th percentile', 's', [
      quantile(0.95, STEPS, 'instance', '{step="lock"}'),
      '{{instance}}',
    ]),
    panel('Duration of a storing transaction, 95th percentile', 's', [
      quantile(0.95, STEPS, 'instance', '{step="store"}'),
      '{{instance}}',
    ]),
    panel('Last position in the log', 'short', ['max(milepost_head_position)', 'position']),
    panel('Stored events per second', 'ops', [
      `sum(rate(milepost_records_total{outcome="stored"}${RATE}))`,
      'stored events',
    ]),
  ],
};

/** All dashboards. */
export const DASHBOARDS: readonly Dashboard[] = [pipeline, api, replays, postgres];
