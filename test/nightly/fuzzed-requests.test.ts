import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { tripId } from '@milepost/domain/trip-id';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { beforeAll, expect, it } from 'vitest';
import {
  DailySummaries,
  DriverPage,
  TripDetailPage,
  TripListPage,
  WeeklySummaries,
} from '../../apps/api/routes/index.ts';
import { perSuite } from '../support/fixtures.ts';
import { statusOfDrivers } from '../support/http.ts';
import { driverProfile, tripProcessed } from '../support/records.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { createWorld } from '../support/world.ts';

/** `FUZZED_REQUESTS=100000` sends many more requests. `FUZZ_SEED` repeats a failed run. */
const REQUESTS = Number(process.env['FUZZED_REQUESTS'] ?? 10_000);
const SEED = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const SOCKETS = Math.ceil(REQUESTS / 10);

const SCHEMAS = new Map<string, { Check: (value: unknown) => boolean }>([
  ['/api/v1/drivers', Compile(DriverPage)],
  ['/api/v1/driver/{driver_id}/trips', Compile(TripListPage)],
  ['/api/v1/trip/trip_id/{trip_id}', Compile(TripDetailPage)],
  ['/api/v1/trip/tracking_id/{tracking_id}', Compile(TripDetailPage)],
  ['/api/v1/driver-aggregate/daily', Compile(DailySummaries)],
  ['/api/v1/driver-aggregate/weekly', Compile(WeeklySummaries)],
]);

/** Draws values that are valid for some parameter, nearly valid, or valid for none. */
const value = fc.oneof(
  fc.constantFrom('driver-1', 'track-1', tripId('acme', 'trip-1'), '2025-01-15', '2025-01-13', 'UTC', 'Europe/Berlin'),
  fc.constantFrom('', '0', '1', '50', '100', '101', '-1', '1e3', '01', 'NaN', '9007199254740993', 'true', 'null', '[]'),
  fc.constantFrom('2025-02-30', '0000-01-01', '99999-01-01', '2025-1-5', '2025-01-15T00:00:00Z', '+275760-09-13'),
  fc.constantFrom("' OR 1=1 --", '../../etc/passwd', '__proto__', 'constructor', '%', '\u0000', '\ud800', '🚗'),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.nat(9_000).map((length) => 'x'.repeat(length)),
);
const name = fc.oneof(
  fc.constantFrom('limit', 'page', 'start_date', 'end_date', 'driver_id', 'timezone', 'trip_id', 'unknown'),
  fc.constantFrom('start_date', 'driver_id', 'start_date', 'driver_id'),
  fc.string({ maxLength: 8 }),
);
const encoded = (part: string) => encodeURIComponent(part.toWellFormed());
const query = fc
  .array(fc.tuple(name, value), { maxLength: 6 })
  .map((pairs) => pairs.map(([key, each]) => `${encoded(key)}=${encoded(each)}`).join('&'));
const headers = fc.record(
  {
    'content-type': fc.constantFrom('application/json', 'text/plain', 'application/json; charset=utf-16', ''),
    accept: fc.constantFrom('*/*', 'application/json', 'text/html', 'x'),
    'if-none-match': fc.constantFrom('*', '"x"', 'W/"', ',,,'),
    'x-request-id': fc.constantFrom('a', 'b'.repeat(500), '{}', '0af7651916cd43dd8448eb211c80319c'),
    range: fc.constantFrom('bytes=0-1', 'x'),
  },
  { requiredKeys: [] },
);
const request = fc.record({ endpoint: fc.constantFrom(...SCHEMAS.keys()), parameter: value, query, headers });

describeWithPostgres(`the API, with ${REQUESTS} random requests from FUZZ_SEED=${SEED},`, () => {
  const world = perSuite(createWorld);
  let statuses: Map<string, Set<string>>;

  beforeAll(async () => {
    await world.take([driverProfile(), tripProcessed({ tracking_id: 'track-1' })]);
    const document: { paths: Record<string, { get: { responses: object } }> } = (
      await world.get('/openapi.json', { key: null })
    ).json();
    statuses = new Map(
      Object.entries(document.paths).map(([path, { get }]) => [path, new Set(Object.keys(get.responses))]),
    );
  });

  it('responds to every request as its document says, and never with 500', async () => {
    const counts = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(request, async ({ endpoint, parameter, query: parameters, headers: own }) => {
        const path = endpoint.replace(/\{\w+\}/, encoded(parameter));
        const address = `${path}?${parameters}`;
        const { statusCode, body, headers: received } = await world.get(address, { headers: own });
        counts.set(statusCode, (counts.get(statusCode) ?? 0) + 1);
        // If a parameter is empty or consists of dots, the path becomes a different one, which has no endpoint.
        const isKnown = new URL(path, 'http://x').pathname === path && !path.includes('//');
        if (isKnown) expect([...(statuses.get(endpoint) ?? [])], address).toContain(String(statusCode));
        expect(statusCode, address).toBeLessThan(500);
        if (statusCode === 200) expect(SCHEMAS.get(endpoint)?.Check(JSON.parse(body)), body).toBe(true);
        if (statusCode === 304) expect(body).toBe('');
        if (statusCode >= 400) {
          expect(received['content-type']).toContain('application/problem+json');
          expect(JSON.parse(body)).toMatchObject({ status: statusCode, code: expect.stringMatching(/^[a-z_]+$/) });
        }
      }),
      { seed: SEED, numRuns: REQUESTS },
    );
    expect([...counts.keys()].sort()).toEqual(expect.arrayContaining([200, 400, 404, 415]));
  });

  it(`responds to a normal request after ${SOCKETS} damaged requests on sockets`, async () => {
    const address = new URL(await world.api.listen({ port: 0, host: '127.0.0.1' }));
    const key = await world.createKey('acme');
    const head = `GET /api/v1/drivers?limit=1 HTTP/1.1\r\nHost: x\r\nAuthorization: APIKEY ${key}\r\nContent-Type: application/json\r\n\r\n`;
    const damage = fc.record({
      at: fc.nat(head.length - 1),
      removed: fc.nat(12),
      added: fc.oneof(
        fc.constantFrom('\r\n', '\u0000', ' ', ':', '\r\nTransfer-Encoding: chunked\r\n', '%'),
        fc.string(),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (damages) => {
        let bytes = head;
        for (const { at, removed, added } of damages) bytes = bytes.slice(0, at) + added + bytes.slice(at + removed);
        const socket = connect(Number(address.port), address.hostname);
        socket.on('error', () => {});
        socket.end(bytes, 'latin1');
        const answer = await text(socket).catch(() => '');
        if (!socket.closed) await once(socket, 'close');
        expect(answer.startsWith('HTTP/1.1 5'), JSON.stringify({ bytes, answer })).toBe(false);
      }),
      { seed: SEED, numRuns: SOCKETS },
    );
    expect(await statusOfDrivers(address.origin, key)).toBe(200);
  });
});
