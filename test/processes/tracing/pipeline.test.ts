import { expect, it } from 'vitest';
import { kindOf, startCollector } from '../../support/collector.ts';
import { send } from '../../support/http.ts';
import { openMeasured } from '../../support/measured-processes.ts';
import { addressOf } from '../../support/metrics.ts';
import { tripProcessed } from '../../support/records.ts';
import { describeWithKafka } from '../../support/service-suites.ts';
import { createApiKey } from '../../support/world.ts';

const PUBLISHER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const header = ({ traceId, spanId }: typeof PUBLISHER) => `00-${traceId}-${spanId}-01`;

describeWithKafka('traces', (brokers) => {
  it('connect a record and a request with their statements, and still reach the collector after SIGTERM', async () => {
    const collector = await startCollector();
    const { log, topics, processes } = await openMeasured(brokers, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    });
    const started = ['ingest', 'projector', 'api'].map((name) => processes.start(name));
    const [, , api] = started;
    if (!api) throw new Error('No process was started.');

    const producer = topics.kafka.producer();
    await producer.connect();
    const value = JSON.stringify(tripProcessed({ source_trip_id: 'traced' }));
    const messages = [{ key: 'traced', value, headers: { traceparent: header(PUBLISHER) } }];
    await producer.send({ topic: topics.names.trips, messages });
    await producer.disconnect();
    const applied = async () => (await log.owner.query('SELECT FROM trips')).rowCount;
    await expect.poll(applied).toBe(1);
    const headers = {
      authorization: `APIKEY ${await createApiKey(log.directory, 'acme')}`,
      'content-type': 'application/json',
      traceparent: header(CALLER),
    };
    const answer = await send(await addressOf(api), { path: '/api/v1/drivers', headers });
    expect(answer.statusCode).toBe(200);
    expect(await Promise.all(started.map((process) => process.stop()))).toEqual([0, 0, 0]);

    const spans = collector.spans();
    const find = (name: string) => spans.filter((span) => span.name === name);
    const below = (parent: { spanId: string } | undefined) =>
      spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId).map(({ name }) => name);
    const [batch, ...otherBatches] = find(`process ${topics.names.trips}`);
    expect(otherBatches).toEqual([]);
    expect(batch).toMatchObject({
      service: 'milepost-ingest',
      links: [PUBLISHER],
      attributes: { 'messaging.system': 'kafka', 'messaging.batch.message_count': '1' },
    });
    expect(batch && kindOf(batch)).toBe('consumer');
    expect(batch?.parentSpanId).toBeUndefined();
    expect(below(batch)).toEqual(expect.arrayContaining(['encode', 'store']));
    const [store] = find('store');
    expect(below(store)).toEqual(
      expect.arrayContaining(['BEGIN', 'lock-head', 'find-revisions', 'advance-head', 'advance-sources', 'COMMIT']),
    );

    const [projected, ...otherRanges] = find('project');
    expect(otherRanges).toEqual([]);
    expect(projected).toMatchObject({
      service: 'milepost-projector',
      links: [PUBLISHER],
      attributes: { 'milepost.position.after': '0', 'milepost.position.through': '1' },
    });
    const projections = ['daily_rollups', 'drivers', 'fleets', 'trips', 'weekly_rollups'];
    expect(
      below(projected)
        .filter((name) => name.startsWith('apply '))
        .sort(),
    ).toEqual(projections.map((name) => `apply ${name}`));
    for (const name of projections) expect(below(find(`apply ${name}`)[0]).length, name).toBeGreaterThan(0);

    const [request] = find('GET /api/v1/drivers');
    expect(request).toMatchObject({
      service: 'milepost-api',
      traceId: CALLER.traceId,
      parentSpanId: CALLER.spanId,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/v1/drivers',
        'http.response.status_code': '200',
        'url.scheme': 'http',
      },
    });
    expect(request && kindOf(request)).toBe('server');
    expect(below(request)).toContain('list-drivers');
    const [statement] = find('list-drivers');
    expect(statement && kindOf(statement)).toBe('client');
    const line = api
      .output()
      .split('\n')
      .filter((text) => text.includes('"message":"request"'))
      .map((text): unknown => JSON.parse(text));
    expect(line).toMatchObject([{ trace_id: CALLER.traceId, span_id: request?.spanId, route: '/api/v1/drivers' }]);
    expect(JSON.stringify(spans)).not.toMatch(/driver-1|acme|mp_/);
  });
});
