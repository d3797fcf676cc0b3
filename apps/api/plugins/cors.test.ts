import fastify from 'fastify';
import { expect, it } from 'vitest';
import { allowOrigins } from './cors.ts';

async function answers(origins: readonly string[]) {
  const app = fastify();
  await allowOrigins(app, origins);
  app.get('/', () => 'ok');
  return async (method: 'GET' | 'OPTIONS', headers: Record<string, string>) => {
    const answer = await app.inject({ method, url: '/', headers });
    return {
      status: answer.statusCode,
      allowed: answer.headers['access-control-allow-origin'],
      headers: answer.headers,
    };
  };
}

const PREFLIGHT = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' };

it('allowOrigins names the origin of a page only when it may call the API', async () => {
  const ask = await answers(['https://one.example', 'https://two.example']);
  for (const origin of ['https://one.example', 'https://two.example']) {
    expect(await ask('GET', { origin })).toMatchObject({ status: 200, allowed: origin });
    expect(await ask('OPTIONS', { origin, ...PREFLIGHT })).toMatchObject({ status: 204, allowed: origin });
  }
  for (const origin of ['https://other.example', 'https://one.example.other', 'http://one.example'])
    expect((await ask('GET', { origin })).allowed).toBeUndefined();
});

it('allowOrigins lets all pages call the API with a star, alone or among origins, and never with credentials', async () => {
  for (const origins of [['*'], ['https://one.example', '*']]) {
    const ask = await answers(origins);
    const { allowed, headers } = await ask('OPTIONS', { origin: 'https://other.example', ...PREFLIGHT });
    expect(allowed).toBe('*');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(headers).toMatchObject({
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': 'Authorization, Content-Type, If-None-Match, Traceparent, X-Request-Id',
      'access-control-max-age': '7200',
    });
  }
});

it('allowOrigins leaves an OPTIONS request that is no preflight request as it is', async () => {
  const ask = await answers(['*']);
  const without = await answers([]);
  const headers = { origin: 'https://one.example' };
  const { status, allowed } = await ask('OPTIONS', headers);
  expect(allowed).toBeUndefined();
  expect(status).toBe((await without('OPTIONS', headers)).status);
  // A request with another method is never a preflight request.
  expect((await ask('GET', { ...headers, ...PREFLIGHT })).allowed).toBe('*');
});
