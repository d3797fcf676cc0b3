import { readHeadPosition } from '@milepost/event-log/head';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { ALERTS } from '../../deploy/monitoring/alerts.ts';
import { DASHBOARDS } from '../../deploy/monitoring/dashboards.ts';
import { kindOf, startCollector } from '../support/collector.ts';
import { perSuite, untilTestEnds } from '../support/fixtures.ts';
import { headersOf, send } from '../support/http.ts';
import { lockWaiters, whileLocked } from '../support/locks.ts';
import { addressOf, metricsUrl, scrape } from '../support/metrics.ts';
import { openPipeline } from '../support/pipeline.ts';
import { Processes, printOutput, type RunningProcess, startProcess } from '../support/processes.ts';
import { needs } from '../support/programs.ts';
import { promtool, startPrometheus } from '../support/prometheus.ts';
import { tripProcessed } from '../support/records.ts';
import { describeWithKafka } from '../support/service-suites.ts';
import { type Message, sendTo, Topics, toMessage } from '../support/topics.ts';
import { createApiKey } from '../support/world.ts';

const PUBLISHER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const header = ({ traceId, spanId }: typeof PUBLISHER) => `00-${traceId}-${spanId}-01`;
const PROJECTIONS = ['daily_rollups', 'drivers', 'fleets', 'trips', 'weekly_rollups'];

const trip = (name: string) => toMessage(tripProcessed({ source_trip_id: name }), name);
const trips = (name: string, count: number) => Array.from({ length: count }, (_, index) => trip(`${name}-${index}`));
const broken: Message = { topic: 'trips', key: 'broken', value: '{broken', broken: true };

it('the rules are valid, and each alert fires or stays quiet as its unit tests say', needs('promtool'), () => {
  promtool('check', 'rules', 'milepost.rules.yml');
  promtool('test', 'rules', 'milepost.rules.test.yml');
});

describeWithKafka("Milepost's processes", (brokers) => {
  const collector = perSuite(() => startCollector());
  const log = perSuite(openPipeline);
  const traced = ['ingest', 'projector', 'api'] as const;
  let topics: Topics;
  let processes: Processes;
  const running = new Map<string, RunningProcess>();
  const urls: Record<string, string> = {};
  const metricsOf = async (name: string) => await scrape(urls[name] ?? '');
  let origin: string;
  let key: string;

  /** Starts all processes. One record and one request belong to traces from outside. */
  async function startAll(): Promise<void> {
    topics = await Topics.create(brokers);
    const ports = { METRICS_PORT: '0', PORT: '0', OPS_PORT: '0', SHUTDOWN_DELAY_SECONDS: '0' };
    const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };
    const settings = { ...ports, ...topics.settings(brokers), DATABASE_URL: log.url };
    processes = new Processes(settings);
    for (const name of traced) running.set(name, startProcess([name], { ...settings, ...tracing }));
    running.set('ops', startProcess(['ops'], settings));
    for (const [name, process] of running) {
      urls[name] = name === 'ops' ? `${await addressOf(process)}/metrics` : await metricsUrl(process);
      if (name === 'api') origin = await addressOf(process);
    }
    const { key: name, value } = trip('traced');
    const messages = [{ key: name, value, partition: 0, headers: { traceparent: header(PUBLISHER) } }];
    await sendTo(topics.kafka, { topic: topics.names.trips, messages });
    await expect.poll(async () => (await log.owner.query('SELECT FROM trips')).rowCount).toBe(1);
    key = await createApiKey(log.directory, 'acme');
    const headers = { ...headersOf(key), traceparent: header(CALLER) };
    expect((await send(origin, { path: '/api/v1/drivers', headers })).statusCode).toBe(200);
  }

  let started: Promise<void> | undefined;
  beforeEach(async ({ onTestFailed }) => {
    onTestFailed(() => running.forEach((process, name) => void printOutput(name, process)));
    // If the start fails, all tests fail.
    started ??= startAll();
    await started;
  });

  afterAll(async () => {
    await Promise.all(running.values().map((process) => process.kill()));
    await topics?.close();
  });

  it('count what ingest has read, and show what it has not yet stored', needs('promtool'), async () => {
    const published = [...trips('trip', 40), broken, broken, ...trips('trip', 3)];
    await topics.publish(published);
    const count = 1 + published.length;
    const records = async () => (await metricsOf('ingest')).sum('milepost_ingest_records_total');
    await expect.poll(records).toBe(count);
    const stored = await metricsOf('ingest');
    const rows = await log.rows<{ partition: number; records_read: number }>(
      'SELECT partition, records_read FROM log_source WHERE records_read > 0',
    );
    expect(rows.length).toBeGreaterThan(1);
    for (const { partition, records_read } of rows) {
      const labels = { topic: topics.names.trips, partition };
      expect(stored.sum('milepost_ingest_records_total', labels)).toBe(records_read);
      expect(stored.sum('milepost_ingest_lag_records', labels)).toBe(0);
    }
    const step = (kind: 'count' | 'sum', name: string, figures = stored) =>
      figures.sum(`milepost_ingest_step_duration_seconds_${kind}`, { step: name }) ?? 0;
    const bytes = [trip('traced'), ...published].reduce((sum, { value }) => sum + Buffer.byteLength(value ?? ''), 0);
    for (const [name, value] of [
      ['ingest_bytes_total', bytes],
      ['ingest_dead_letters_total', 2],
      ['ingest_batch_records_sum', count],
      ['ingest_batch_records_count', step('count', 'encode')],
      ['ingest_queue_bytes', 0],
      ['ingest_fetch_pauses_total', 0],
      ['ingest_rebalances_total', 1],
      ['database_connections_limit', 4 + 1],
    ] as const)
      expect(stored.sum(`milepost_${name}`), name).toBe(value);
    expect(stored.sum('milepost_ingest_dead_letters_total', { reason: 'invalid_json' })).toBe(2);
    expect(stored.sum('milepost_ingest_dead_letters_total', { reason: 'missing_field' })).toBe(0);
    expect(step('count', 'store')).toBe(step('count', 'lock'));
    for (const name of ['read', 'encode', 'lock', 'store']) expect(step('sum', name)).toBeGreaterThan(0);

    const late = trip('late');
    let heldMilliseconds = 0;
    await whileLocked(
      log.owner,
      'SELECT FROM log_head FOR UPDATE',
      async () => {
        await lockWaiters(log.owner, 1);
        const from = performance.now();
        const waiting = await metricsOf('ingest');
        expect(waiting.sum('milepost_ingest_lag_records')).toBe(1);
        expect(waiting.sum('milepost_ingest_queue_bytes')).toBeGreaterThan(Buffer.byteLength(late.value ?? ''));
        heldMilliseconds = performance.now() - from;
      },
      async () => await topics.publish([late]),
    );
    await expect.poll(records).toBe(count + 1);
    const after = await metricsOf('ingest');
    expect(after.sum('milepost_ingest_lag_records')).toBe(0);
    expect(step('sum', 'lock', after) - step('sum', 'lock')).toBeGreaterThanOrEqual(heldMilliseconds / 1000);
  });

  it('count what the projector has applied, and show its lag', async () => {
    const head = await readHeadPosition(log.owner);
    const applied = async () =>
      (await metricsOf('projector')).sum('milepost_projector_batch_events_sum', { projection: 'trips' });
    await expect.poll(applied).toBe(head);
    const idle = await metricsOf('projector');
    for (const projection of PROJECTIONS) {
      const batches = (name: string) => idle.sum(`milepost_projector_batch_${name}`, { projection });
      expect(batches('events_sum'), projection).toBe(head);
      expect(batches('duration_seconds_sum')).toBeGreaterThan(0);
      expect(batches('duration_seconds_count')).toBe(batches('events_count'));
      for (const unit of ['events', 'seconds'])
        expect(idle.sum(`milepost_projector_lag_${unit}`, { projection, lane: 0 })).toBe(0);
    }
    const lags = async () =>
      (await metricsOf('projector')).series('milepost_projector_lag_events').map(({ value }) => value);
    await whileLocked(
      log.owner,
      'SELECT FROM generation FOR UPDATE',
      async () => {
        await expect.poll(lags).toEqual([1, 1, 1, 1, 1]);
        const waiting = await metricsOf('projector');
        expect(waiting.sum('milepost_projector_lag_seconds', { projection: 'trips' })).toBeGreaterThan(0);
      },
      async () => await topics.publish([trip('later')]),
    );
    await expect.poll(lags).toEqual([0, 0, 0, 0, 0]);
  });

  it(
    "count the jobs of ops, and follow Prometheus's conventions without naming a driver",
    needs('promtool'),
    async () => {
      // The worker starts an audit immediately.
      const jobs = async (figure: string, labels: Record<string, string>) =>
        (await metricsOf('ops')).sum(`milepost_job${figure}`, { kind: 'audit', ...labels });
      await expect.poll(async () => await jobs('_duration_seconds_count', { outcome: 'completed' })).toBe(1);
      expect(await jobs('s_running', {})).toBe(0);
      expect((await metricsOf('ops')).sum('milepost_up')).toBe(1);
      for (const name of ['ingest', 'projector', 'ops']) {
        const { text, complaints } = await metricsOf(name);
        expect(text).not.toMatch(/driver-1|acme/);
        expect(complaints(), name).toBe('');
      }
    },
  );

  it('have data for every query in every dashboard, and every metric in every alert', needs('prometheus'), async () => {
    const hosts = Object.entries(urls).map(([name, url]) => [`milepost-${name}`, new URL(url).host]);
    const prometheus = untilTestEnds(await startPrometheus(Object.fromEntries(hosts)));
    await topics.publish(trips('scraped', 10));
    const head = await readHeadPosition(log.owner);
    const applied = async () => Number((await prometheus.query('max(milepost_projection_checkpoint)'))[0]?.value[1]);
    await expect.poll(applied).toBeGreaterThanOrEqual(head);
    expect((await send(origin, { path: '/api/v1/drivers', headers: headersOf(key) })).statusCode).toBe(200);
    await processes.run('audit');
    await processes.run('replay', 'start', 'drivers');

    const up = async () => (await prometheus.query('up')).map(({ value: [, value] }) => value);
    await expect.poll(up).toEqual(['1', '1', '1', '1']);
    const expressions = DASHBOARDS.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries)).map(
      ([expression]) => expression.replaceAll('$__rate_interval', '15s'),
    );
    const empty = async () => {
      const results = await Promise.all(
        expressions.map(async (expression) => ({ expression, result: await prometheus.query(expression) })),
      );
      return results.filter(({ result }) => result.length === 0).map(({ expression }) => expression);
    };
    await expect.poll(empty).toEqual([]);

    const known = await prometheus.metricNames();
    for (const { name, expression } of ALERTS) {
      const metrics = Array.from(expression.matchAll(/\b(?:milepost|nodejs|process)_\w+/g), ([metric]) => metric);
      const families = metrics.map((metric) => metric.replace(/_(bucket|sum|count)$/, ''));
      const unknown = families.filter((family) => !known.has(family));
      expect(unknown, name).toEqual([]);
      await prometheus.query(expression);
    }
    const firing = await prometheus.query('ALERTS{alertstate="firing"}');
    expect(firing.map(({ metric }) => metric['alertname'])).toEqual([]);
  });

  it('connect a record and a request with their statements in spans, which are sent even after SIGTERM', async () => {
    for (const name of traced) expect(await running.get(name)?.stop(), name).toBe(0);
    const spans = collector.spans();
    const below = (parent: { spanId: string } | undefined) =>
      spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId);
    const namesBelow = (parent: { spanId: string } | undefined) => below(parent).map(({ name }) => name);
    const linked = (name: string) =>
      spans.filter((span) => span.name === name && span.links.some(({ spanId }) => spanId === PUBLISHER.spanId));

    const batches = linked(`process ${topics.names.trips}`);
    expect(batches).toMatchObject([
      {
        service: 'milepost-ingest',
        links: [PUBLISHER],
        attributes: { 'messaging.system': 'kafka', 'messaging.batch.message_count': '1' },
      },
    ]);
    const [batch] = batches;
    expect(batch && kindOf(batch)).toBe('consumer');
    expect(batch?.parentSpanId).toBeUndefined();
    expect(namesBelow(batch)).toEqual(expect.arrayContaining(['encode', 'store']));
    expect(namesBelow(below(batch).find(({ name }) => name === 'store'))).toEqual(
      expect.arrayContaining(['BEGIN', 'lock-head', 'find-revisions', 'advance-head', 'advance-sources', 'COMMIT']),
    );

    const projected = linked('project');
    expect(projected).toMatchObject([
      {
        service: 'milepost-projector',
        links: [PUBLISHER],
        attributes: { 'milepost.position.after': '0', 'milepost.position.through': '1' },
      },
    ]);
    const folds = below(projected[0]).filter(({ name }) => name.startsWith('apply '));
    expect(folds.map(({ name }) => name).sort()).toEqual(PROJECTIONS.map((name) => `apply ${name}`));
    for (const fold of folds) expect(below(fold).length, fold.name).toBeGreaterThan(0);

    const request = spans.find(({ parentSpanId }) => parentSpanId === CALLER.spanId);
    expect(request).toMatchObject({
      name: 'GET /api/v1/drivers',
      service: 'milepost-api',
      traceId: CALLER.traceId,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/v1/drivers',
        'http.response.status_code': '200',
        'url.scheme': 'http',
      },
    });
    expect(request && kindOf(request)).toBe('server');
    const statement = below(request).find(({ name }) => name === 'list-drivers');
    expect(statement && kindOf(statement)).toBe('client');
    const logged = running.get('api')?.output().split('\n') ?? [];
    const lines = logged.filter((line) => line.includes(CALLER.traceId)).map((line): unknown => JSON.parse(line));
    expect(lines).toMatchObject([{ message: 'request', span_id: request?.spanId, route: '/api/v1/drivers' }]);
    expect(JSON.stringify(spans)).not.toMatch(/driver-1|acme|mp_/);
  });
});
