import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { DriverPage } from '../../../apps/api/routes/index.ts';
import { contentOf, problemOf } from '../../support/answers.ts';
import { parseRaw, send } from '../../support/http.ts';
import { numberedTrips, tripProcessed } from '../../support/records.ts';
import { describeWithWorld } from '../../support/world.ts';

/** Node closes unused connections only after 30 s. */
const WAIT = { timeout: 15_000, interval: 20 };

const KNOWN_PATHS = [
  '/api/v1/drivers',
  '/api/v1/driver/x/trips',
  '/api/v1/trip/trip_id/x',
  '/healthz',
  '/openapi.json',
];

const SAME_FOR_HEAD = ['etag', 'content-type', 'content-encoding', 'content-length', 'milepost-position', 'vary'];

/** A trip whose detail is too long to be compressed in one call. */
const LONG_TRIP = { tracking_id: 'long', events: Array.from({ length: 1_000 }, () => tripProcessed().events).flat() };

describeWithWorld('the HTTP API', (world) => {
  let origin: string;
  let headers: Record<string, string>;

  beforeAll(async () => {
    const trips = numberedTrips(30).map((trip, index) => ({ ...trip, driver_id: `driver-${index}` }));
    await world.take(trips.map((trip, index) => (index === 0 ? { ...trip, ...LONG_TRIP } : trip)));
    origin = await world.api.listen({ host: '127.0.0.1', port: 0 });
    headers = { authorization: `APIKEY ${await world.createKey('acme')}`, 'content-type': 'application/json' };
  });

  describe('requires a valid Content-Type, which', () => {
    it.each(['', 'text/plain', 'application/jsonp', 'json'])('is refused when it is %j', async (type) => {
      const answer = await world.get('/api/v1/drivers', { headers: { 'content-type': type } });
      expect(problemOf(answer, 415, 'unsupported_media_type').detail).toMatch(
        /Content-Type header must be application\/json.*REQUIRE_CONTENT_TYPE=false/,
      );
    });

    it('is required for GET and HEAD, although they have no body', async () => {
      const { authorization = '' } = headers;
      const request = { path: '/api/v1/drivers', headers: { authorization } };
      problemOf(await send(origin, request), 415, 'unsupported_media_type');
      expect((await send(origin, { ...request, method: 'HEAD' })).statusCode).toBe(415);
    });

    it.each(['Application/JSON', 'application/json ;charset=x'])('may be %j', async (type) => {
      contentOf(await world.get('/api/v1/drivers', { headers: { 'content-type': type } }), DriverPage);
    });

    it('is optional when REQUIRE_CONTENT_TYPE is false', async () => {
      const api = await world.buildApi({ requireContentType: false });
      const { authorization = '' } = headers;
      contentOf(await api.inject({ url: '/api/v1/drivers', headers: { authorization } }), DriverPage);
    });

    it.each(['{"page": 2}', '{broken', 'x'.repeat(100_000)])(
      'has the same effect if a GET request has a body',
      async (body) => {
        const answer = await send(origin, { path: '/api/v1/drivers', headers, body });
        expect(contentOf(answer, DriverPage).current_page).toBe(1);
      },
    );
  });

  describe('restricts methods:', () => {
    it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'])(
      '%s is refused on known paths with an Allow header, before the key is checked',
      async (method) => {
        for (const path of KNOWN_PATHS) {
          const answer = await send(origin, { path, method, headers: { 'content-type': 'nonsense' } });
          problemOf(answer, 405, 'method_not_allowed');
          expect(answer.headers['allow']).toBe('GET, HEAD');
        }
      },
    );

    it('a refused method with an invalid body gets 405 on a known path and 404 on an unknown path', async () => {
      const broken = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{broken' };
      problemOf(await send(origin, { path: '/api/v1/drivers', ...broken }), 405, 'method_not_allowed');
      problemOf(await send(origin, { path: '/nope', ...broken }), 404, 'not_found');
    });

    it.each([
      ['identity', '/api/v1/drivers', 200],
      ['gzip', '/api/v1/drivers', 200],
      ['gzip', '/api/v1/drivers?limit=1', 200],
      ['gzip', '/api/v1/drivers?limit=0', 400],
      // Too large to be compressed in one call, so the length is unknown.
      ['gzip', '/api/v1/trip/tracking_id/long', 200],
    ])('HEAD gets the same response as GET, without the body (%s, %s)', async (encoding, path, statusCode) => {
      const request = { path, headers: { ...headers, 'accept-encoding': encoding } };
      const get = await send(origin, request);
      const head = await send(origin, { ...request, method: 'HEAD' });
      expect(head).toMatchObject({ statusCode, body: '' });
      for (const name of SAME_FOR_HEAD) expect(head.headers[name], name).toBe(get.headers[name]);
    });
  });

  it.each([
    '/api',
    '/api/v1',
    '/api/v1/drivers/',
    '/api/v2/drivers',
    '/API/V1/drivers',
    '/api/v1/driver/x',
    '/favicon.ico',
  ])('returns 404 for the unknown path %s, with and without a key', async (path) => {
    problemOf(await world.get(path), 404, 'not_found');
    problemOf(await world.get(path, { key: null }), 404, 'not_found');
  });

  describe('supports caching, and', () => {
    it('returns 304 without a body when the client has the current tag', async () => {
      const { etag } = (await world.get('/api/v1/drivers')).headers;
      const asked = { ...headers, 'if-none-match': String(etag) };
      const answer = await send(origin, { path: '/api/v1/drivers', headers: asked });
      expect(answer).toMatchObject({ statusCode: 304, body: '' });
      expect(answer.headers['cache-control']).toBe('private, no-cache');
      expect(answer.headers).toMatchObject({ etag, 'milepost-position': '30', vary: 'accept-encoding' });
      expect(answer.headers).toHaveProperty('ratelimit-remaining');
      expect(answer.headers).not.toHaveProperty('content-length');
    });

    it("names Origin in Vary when CORS allows some origins, so that caches keep each origin's responses apart", async () => {
      const [allowed, other] = ['https://fleet.example.org', 'https://other.example.org'];
      const api = await world.buildApi({ corsOrigins: [allowed, other] });
      const ask = async (more: Record<string, string>) =>
        await world.get('/api/v1/drivers', { api, headers: { origin: allowed, ...more } });
      const sent = { vary: 'Origin, accept-encoding', 'access-control-allow-origin': allowed };
      for (const more of [{}, { 'if-none-match': '*' }, { 'accept-encoding': 'gzip' }]) {
        expect((await ask(more)).headers).toMatchObject(sent);
      }
    });
  });

  describe('uses compression, which', () => {
    it.each([
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
      ['zstd', zstdDecompressSync],
    ])('keeps the body and the tag unchanged: %s', async (encoding, decompress) => {
      const plain = await world.get('/api/v1/drivers');
      expect(plain.headers).not.toHaveProperty('content-encoding');
      const answer = await world.get('/api/v1/drivers', { headers: { 'accept-encoding': encoding } });
      const { etag } = plain.headers;
      expect(answer.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding', etag });
      expect(decompress(answer.rawPayload).toString()).toBe(plain.body);
      expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length);
    });

    it('is not applied to short responses', async () => {
      const short = await world.get('/api/v1/drivers?limit=1', { headers: { 'accept-encoding': 'gzip' } });
      expect(short.headers).not.toHaveProperty('content-encoding');
    });
  });

  it('closes the whole connection after the response to invalid HTTP, even if the client never closes its side', async () => {
    const { hostname, port } = new URL(origin);
    const openConnections = async () => await promisify(world.api.server.getConnections.bind(world.api.server))();
    await expect.poll(openConnections, WAIT).toBe(0);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    socket.write('no HTTP\r\n\r\n');
    expect(parseRaw(await text(socket)).statusCode).toBe(400);
    await expect.poll(openConnections, WAIT).toBe(0);
  });

  it('accepts the headers of the longest request of the interface', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => String.fromCodePoint(0x1f600 + index).repeat(256));
    const query = ids.map((id) => `&driver_id=${encodeURIComponent(id)}`).join('');
    const path = `/api/v1/driver-aggregate/daily?start_date=2025-01-15${query}`;
    const longest = await send(origin, { path, headers });
    expect(problemOf(longest, 404, 'driver_not_found').errors).toHaveLength(20);
  });
});
