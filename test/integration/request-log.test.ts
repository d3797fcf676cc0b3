import { pino } from 'pino';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { perSuite } from '../support/fixtures.ts';
import { parseRaw, sendRaw } from '../support/http.ts';
import { openOps, TOKEN } from '../support/ops.ts';
import { driverProfile, tripProcessed } from '../support/records.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { createWorld } from '../support/world.ts';

const lines: Record<string, unknown>[] = [];
const requestLogger = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });

beforeEach(() => {
  lines.length = 0;
});

describeWithPostgres('the request log', () => {
  const world = perSuite(() => createWorld({ requestLogger }));
  beforeAll(async () => {
    await world.take([driverProfile(), tripProcessed()]);
  });

  it("contains each request's route, status, time, bytes, fleet and request id, but no driver id", async () => {
    const found = await world.get('/api/v1/driver/driver-1/trips?start_date=2025-01-14');
    const unknown = await world.get('/api/v1/driver/nobody-4711/trips?start_date=2025-01-14');
    const stranger = await world.get('/api/v1/drivers', { key: null });
    await world.get('/secret-4711');
    const route = '/api/v1/driver/:driver_id/trips';
    const [first, second, third, fourth] = lines;
    expect(first).toMatchObject({ method: 'GET', route, status: 200, fleet_id: 'acme', msg: 'request' });
    expect(first).toMatchObject({ bytes: Buffer.byteLength(found.body), milliseconds: expect.any(Number) });
    expect(second).toMatchObject({ route, status: 404, request_id: unknown.json().request_id, fleet_id: 'acme' });
    expect(third).toMatchObject({ route: '/api/v1/drivers', status: 401, request_id: stranger.json().request_id });
    expect(third).not.toHaveProperty('fleet_id');
    expect(fourth).toMatchObject({ route: null, status: 404 });
    expect(lines).toHaveLength(4);
    expect(JSON.stringify(lines)).not.toMatch(/driver-1|4711|start_date|mp_/);
  });

  it("contains each request's request id and trace id, even if the request is malformed", async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
    const named = { 'x-request-id': 'gateway-7' };
    await world.get('/api/v1/drivers', { headers: { ...named, traceparent } });
    await world.get('/%zz', { headers: { ...named, traceparent } });
    const malformed = [
      traceparent.toUpperCase(),
      `ff${traceparent.slice(2)}`,
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      `00-${trace}-${'0'.repeat(16)}-01`,
      `${traceparent}-more`,
      trace,
    ];
    for (const each of malformed) await world.get('/healthz', { headers: { traceparent: each } });
    await world.get('/healthz', { headers: { traceparent: `01${traceparent.slice(2)}-more` } });
    expect(lines).toMatchObject([
      { request_id: 'gateway-7', trace_id: trace, status: 200 },
      { request_id: 'gateway-7', trace_id: trace, status: 400, method: 'GET', route: null },
      ...malformed.map(() => ({ status: 200 })),
      { trace_id: trace },
    ]);
    for (const line of lines.slice(2, -1)) expect(line).not.toHaveProperty('trace_id');
    lines.length = 0;
    const garbage = parseRaw(await sendRaw(await world.api.listen({ host: '127.0.0.1', port: 0 }), 'garbage\r\n\r\n'));
    const id = garbage.headers['x-request-id'];
    expect(lines).toMatchObject([{ request_id: id, method: null, route: null, status: 400 }]);
  });

  it("contains a line for each request to the operators' API", async () => {
    const ops = await openOps({ requestLogger });
    await ops.ask('/status');
    await ops.ask('/keys/key_4711', { method: 'DELETE' });
    await ops.close();
    expect(lines).toMatchObject([
      { route: '/status', status: 200 },
      { method: 'DELETE', route: '/keys/:id', status: 404 },
    ]);
    expect(JSON.stringify(lines)).not.toContain(TOKEN);
  });
});
