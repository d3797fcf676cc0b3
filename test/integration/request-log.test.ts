import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openOps, TOKEN } from '../support/ops.ts';
import { driverProfile, tripProcessed } from '../support/records.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { createWorld, type World } from '../support/world.ts';

const lines: Record<string, unknown>[] = [];
const requestLogger = pino(
  new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)));
      done();
    },
  }),
);

beforeEach(() => {
  lines.length = 0;
});

describeWithPostgres('the log of requests', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ requestLogger });
    await world.ingest([driverProfile(), tripProcessed()]);
    await world.project();
  });
  afterAll(async () => await world.close());

  it('has a line for each request to the API: route, status, time, bytes, fleet and id, and no id of a driver', async () => {
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

  it("has a line for each request to the operators' API", async () => {
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
