import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';
import { linksTo, openSpan, runAndEnd } from '../../../packages/platform/tracing/span.ts';
import { startTracing } from '../../../packages/platform/tracing/start.ts';
import { startCollector } from '../../support/collector.ts';
import { untilTestEnds } from '../../support/fixtures.ts';
import { openOps, TOKEN } from '../../support/ops.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld } from '../../support/world.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SAMPLER = { followsParent: true, ratio: 1 };

/**
 * Switches tracing on in this process until the test ends. Returns the collector that receives the spans, and a
 * function that sends them.
 */
async function traceHere(protocol: 'http/protobuf' | 'http/json') {
  const collector = untilTestEnds(await startCollector());
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
  const stop = await startTracing({ protocol, sampler: SAMPLER }, 'test', (reason) => expect.fail(reason));
  onTestFinished(stop);
  return { collector, stop };
}

it('exports spans as protobuf by default, under the name of the process or of OTEL_SERVICE_NAME', async () => {
  for (const name of [undefined, 'fleet-reports']) {
    vi.stubEnv('OTEL_SERVICE_NAME', name);
    const { collector, stop } = await traceHere('http/protobuf');
    openSpan('some-span', () => ({}))?.end();
    await stop();
    expect(collector.exports).toMatchObject([{ path: '/v1/traces', type: 'application/x-protobuf' }]);
    const body = collector.exports[0]?.body.toString('latin1');
    expect(body).toContain('some-span');
    expect(body).toContain(name ?? 'milepost-test');
  }
});

it('links a span to at most 128 others, each once, and not to malformed ones', async () => {
  const { collector, stop } = await traceHere('http/json');
  const of = (index: number) => `00-${'a'.repeat(32)}-${String(index).padStart(16, '0')}-01`;
  const origins = [
    null,
    `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`,
    ...Array.from({ length: 200 }, (_, i) => of(i + 1)),
  ];
  // The SDK has the same limit, but would keep all links in memory until the span begins.
  expect(linksTo(origins)).toHaveLength(128);
  openSpan('many', () => ({ links: linksTo(origins) }))?.end();
  openSpan('same', () => ({ links: linksTo([of(1), of(1), of(2)]) }))?.end();
  await stop();
  expect(collector.spans().map(({ name, links }) => [name, links.length])).toEqual([
    ['many', 128],
    ['same', 2],
  ]);
});

it("marks the span of a failure with the error's code, or else its name, and with nothing else", async () => {
  const { collector, stop } = await traceHere('http/json');
  const failure = Object.assign(new Error('driver-1 is wrong'), { code: '22P02' });
  const span = openSpan('failing', () => ({}));
  await expect(runAndEnd(span, async () => await Promise.reject(failure))).rejects.toBe(failure);
  const numbered = Object.assign(new Error('driver-1'), { code: 404 });
  for (const failure of [new RangeError('driver-1 is wrong'), numbered, 'timeout', { message: 'driver-1' }])
    openSpan('failing', () => ({}))?.end(failure);
  openSpan('successful', () => ({}))?.end();
  await stop();
  expect(collector.spans().map(({ status, attributes }) => [status.code, attributes['error.type']])).toEqual([
    [2, '22P02'],
    [2, 'RangeError'],
    [2, 'Error'],
    [2, 'timeout'],
    [2, 'unknown'],
    [0, undefined],
  ]);
  expect(collector.exports[0]?.body.toString()).not.toContain('driver-1');
});

it('a failed process keeps its exit code if the collector accepts connections but does not respond', async () => {
  const collector = untilTestEnds(await startCollector(true));
  const program = `
    import { openSpan } from '@milepost/tracing';
    import { startTracing } from '@milepost/tracing/start';
    const stop = await startTracing({ protocol: 'http/json', sampler: ${JSON.stringify(SAMPLER)} }, 'test', () => {});
    openSpan('some-span', () => ({}))?.end();
    await stop();
    process.exitCode = 2;`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: ROOT,
    env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    stdio: 'inherit',
  });
  expect(await once(child, 'exit')).toEqual([2, null]);
  expect(collector.connections()).toBe(1);
});

describeWithPostgres('the span of a request', () => {
  it("contains the request's statements, even if the request has a body", async () => {
    const { collector, stop } = await traceHere('http/json');
    const world = await openOps();
    const origin = await world.ops.listen({ host: '127.0.0.1', port: 0 });
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', expect: '100-continue' };
    const outgoing = request(`${origin}/keys`, { method: 'POST', headers });
    // When the body arrives, in a separate socket event, the hooks for the headers have already run.
    outgoing.flushHeaders();
    await once(outgoing, 'continue');
    outgoing.end(JSON.stringify({ fleet_id: 'acme' }));
    const [answer] = await once(outgoing, 'response');
    expect(answer.statusCode).toBe(201);
    answer.resume();
    await once(answer, 'end');
    await world.close();
    await stop();
    const spans = collector.spans();
    const received = spans.find(({ name }) => name === 'POST /keys');
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === received?.spanId).map(({ name }) => name);
    expect(received).toBeDefined();
    expect(statements.length).toBeGreaterThan(0);
    expect(spans.filter(({ parentSpanId }) => !parentSpanId).map(({ name }) => name)).toEqual(['POST /keys']);
  });

  it('contains only its own statements if requests wait for each other', async () => {
    const { collector, stop } = await traceHere('http/json');
    const world = await createWorld();
    const fleets = Array.from({ length: 40 }, (_, index) => `fleet-${index}`);
    const keys = await Promise.all(fleets.map(async (fleet) => await world.createKey(fleet)));
    const answers = await Promise.all(keys.map(async (key) => await world.get('/api/v1/drivers', { key })));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    await world.get('/readyz');
    await world.close();
    await stop();
    const spans = collector.spans();
    const requests = spans.filter(({ name }) => name === 'GET /api/v1/drivers');
    expect(requests).toHaveLength(keys.length);
    for (const { spanId } of requests) {
      const own = spans.filter(({ parentSpanId }) => parentSpanId === spanId).map(({ name }) => name);
      expect(own.filter((name) => name === 'list-drivers')).toHaveLength(1);
      expect(own.filter((name) => /key/.test(name))).toHaveLength(1);
    }
    expect(spans.map(({ name }) => name)).not.toContain('GET /readyz');
  });
});
