type Labels = Readonly<Record<string, string>>;

/**
 * A series for an alert's unit tests, with the values that make the alert fire after an hour and a half, and values that
 * do not. The values are in promtool's notation, where `0x10` is 0 followed by ten more zeros. Null omits the series.
 */
export type Series = readonly [name: string, labels: Labels, fires: string | null, quiet: string | null];

/** An alert, with the series for its unit tests. */
export interface Alert {
  name: string;
  /** `page`: someone must act now. `ticket`: someone must act within days. */
  severity: 'page' | 'ticket';
  expression: string;
  /** How long the expression must be true before the alert fires. Default: 0. */
  minutes?: number;
  /** One sentence, which may contain `{{ $labels.name }}`. */
  summary: string;
  series: readonly [Series, ...Series[]];
  /** The labels of the firing alert. Default: those of the first series. */
  fired?: Labels;
}

/** Returns the page in `docs/runbooks` that says what to do: `database-unavailable` for `MilepostDatabaseUnavailable`. */
export function pageOf({ name }: Alert): string {
  return name
    .replace('Milepost', '')
    .replaceAll(/\B[A-Z]/g, '-$&')
    .toLowerCase();
}

const OPS = { job: 'milepost-ops', instance: 'ops:3001' };
const API = { job: 'milepost-api', instance: 'api:9100' };
const projection = { ...OPS, projection: 'trips', generation: '1', version: '1' };
const source = { ...OPS, topic: 'milepost.trips', partition: '0' };
const finding = { ...OPS, topic: 'milepost.trips', code: 'topic_denied', severity: 'error' };
const requests = 'milepost_http_request_duration_seconds';
const request = { ...API, route: '/api/v1/drivers' };

/** Alerts about the database and its contents, from the metrics of the ops process. */
const STATE: readonly Alert[] = [
  {
    name: 'MilepostDatabaseUnavailable',
    severity: 'page',
    expression: 'milepost_up == 0',
    minutes: 1,
    summary: 'PostgreSQL is not responding to the ops process.',
    series: [['milepost_up', OPS, '0x100', '1x100']],
  },
  {
    name: 'MilepostReadTablesLate',
    severity: 'page',
    expression: 'max by (projection) (milepost_projection_lag_seconds) > 60',
    minutes: 5,
    summary: 'Read table {{ $labels.projection }} is more than a minute behind the event log.',
    series: [['milepost_projection_lag_seconds', projection, '61x100', '60x100']],
    fired: { projection: 'trips' },
  },
  {
    name: 'MilepostProjectionFailed',
    severity: 'page',
    expression: 'milepost_projection_failed == 1',
    summary:
      'Projection {{ $labels.projection }} has stopped at a stored event that it cannot apply. `milepost positions set-aside` lets it continue.',
    series: [['milepost_projection_failed', projection, '1x100', '0x100']],
  },
  {
    name: 'MilepostSourceStopped',
    severity: 'page',
    expression: 'milepost_source_fault == 1',
    minutes: 1,
    summary: 'Partition {{ $labels.partition }} of {{ $labels.topic }} cannot be read.',
    series: [['milepost_source_fault', source, '1x100', '0x100']],
  },
  {
    name: 'MilepostKafkaFinding',
    severity: 'ticket',
    expression: 'max by (topic, code) (milepost_kafka_finding) == 1',
    minutes: 5,
    summary: 'Ingest found {{ $labels.code }} in Kafka.',
    series: [
      ['milepost_kafka_finding', finding, '1x100', null],
      ['milepost_up', OPS, null, '1x100'],
    ],
    fired: { topic: finding.topic, code: finding.code },
  },
  {
    name: 'MilepostDeadLettersGrow',
    severity: 'ticket',
    expression: 'sum by (reason) (milepost_dead_letters_open - milepost_dead_letters_open offset 1h) > 100',
    summary: 'More than 100 records became dead letters within an hour, with the reason {{ $labels.reason }}.',
    series: [['milepost_dead_letters_open', { ...OPS, reason: 'invalid_json' }, '0+2x100', '500+1x100']],
    fired: { reason: 'invalid_json' },
  },
  {
    name: 'MilepostAuditFoundFaults',
    severity: 'page',
    expression: 'milepost_audit_equal == 0',
    summary: 'The latest audit found faults or failed.',
    series: [['milepost_audit_equal', OPS, '0x100', '1x100']],
  },
  {
    name: 'MilepostAuditOverdue',
    severity: 'ticket',
    expression: 'milepost_audit_age_seconds > 3 * 3600',
    minutes: 5,
    summary: 'No audit has ended in the last three hours.',
    series: [['milepost_audit_age_seconds', OPS, '10000+60x100', '0+60x100']],
  },
  {
    name: 'MilepostReplayFailed',
    severity: 'ticket',
    expression: 'milepost_replays_halted{reason="failed"} > 0',
    summary: 'A replay has failed and is waiting to be resumed or cancelled.',
    series: [
      ['milepost_replays_halted', { ...OPS, reason: 'failed' }, '1x100', null],
      ['milepost_replays_halted', { ...OPS, reason: 'paused' }, null, '1x100'],
    ],
  },
];

const ingest = { job: 'milepost-ingest', instance: 'ingest:9100' };
const lag = { ...ingest, topic: 'milepost.trips', partition: '0' };
const pool = { ...API, pool: 'lanes' };

/** Alerts about processes, from their own metrics. */
const PROCESSES: readonly Alert[] = [
  {
    name: 'MilepostProcessDown',
    severity: 'page',
    expression: 'up{job=~"milepost-.+"} == 0',
    minutes: 2,
    summary: 'Prometheus cannot read the metrics of {{ $labels.instance }}.',
    series: [['up', API, '0x100', '1x100']],
  },
  {
    name: 'MilepostIngestLate',
    severity: 'page',
    expression: 'sum by (topic) (milepost_ingest_lag_records) > 10000',
    minutes: 10,
    summary: 'More than 10,000 records from {{ $labels.topic }} have not been stored yet.',
    series: [['milepost_ingest_lag_records', lag, '10001x100', '10000x100']],
    fired: { topic: lag.topic },
  },
  {
    name: 'MilepostRebalancesOften',
    severity: 'ticket',
    expression: 'sum(increase(milepost_ingest_rebalances_total[30m])) > 10',
    summary: 'The consumer group has reassigned its partitions more than ten times within half an hour.',
    series: [['milepost_ingest_rebalances_total', ingest, '0+1x100', '3x100']],
    fired: {},
  },
  {
    name: 'MilepostApiErrors',
    severity: 'page',
    expression: `sum(rate(${requests}_count{status=~"5.."}[5m])) / sum(rate(${requests}_count[5m])) > 0.01`,
    minutes: 5,
    summary: 'More than 1% of requests to the API end with a status of 500 or above.',
    series: [
      [`${requests}_count`, { ...request, status: '200' }, '0+600x100', '0+6000x100'],
      [`${requests}_count`, { ...request, status: '503' }, '0+60x100', '0+6x100'],
    ],
    fired: {},
  },
  {
    name: 'MilepostApiSlow',
    severity: 'ticket',
    expression: `histogram_quantile(0.99, sum by (le) (rate(${requests}_bucket{route=~"/api/v1/.*"}[5m]))) > 0.5`,
    minutes: 10,
    summary: 'One in 100 requests to the API takes longer than half a second.',
    series: [
      [`${requests}_bucket`, { ...request, status: '200', le: '0.5' }, '0+90x100', '0+100x100'],
      [`${requests}_bucket`, { ...request, status: '200', le: '1' }, '0+100x100', '0+100x100'],
      [`${requests}_bucket`, { ...request, status: '200', le: '+Inf' }, '0+100x100', '0+100x100'],
    ],
    fired: {},
  },
  {
    name: 'MilepostApiOverloaded',
    severity: 'page',
    expression: 'sum(rate(milepost_http_requests_refused_total[5m])) > 1',
    minutes: 5,
    summary: 'The API is overloaded and is refusing more than one request per second.',
    series: [['milepost_http_requests_refused_total', API, '0+120x100', '0+30x100']],
    fired: {},
  },
  {
    name: 'MilepostConnectionsExhausted',
    severity: 'ticket',
    expression: 'milepost_database_callers_waiting > 0',
    minutes: 5,
    summary: 'Work in {{ $labels.instance }} is waiting for a connection to PostgreSQL.',
    series: [['milepost_database_callers_waiting', pool, '1x100', '0x100']],
  },
  {
    name: 'MilepostEventLoopDelayed',
    severity: 'ticket',
    expression: 'nodejs_eventloop_lag_p99_seconds{job="milepost-api"} > 0.2',
    minutes: 10,
    summary: 'The event loop of {{ $labels.instance }} is delayed by more than 0.2 s.',
    series: [['nodejs_eventloop_lag_p99_seconds', API, '0.3x100', '0.1x100']],
  },
];

/** All alerts. The rules and their unit tests are generated from this list, and the runbooks are checked against it. */
export const ALERTS: readonly Alert[] = [...STATE, ...PROCESSES];
