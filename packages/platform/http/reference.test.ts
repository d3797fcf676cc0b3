import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveReference } from './reference.ts';

let app: FastifyInstance;
beforeAll(async () => {
  app = fastify();
  await serveReference(app, 'Milepost');
});
afterAll(async () => await app.close());

it('serveReference redirects relative to the page, because a proxy may add a path', async () => {
  const { statusCode, headers } = await app.inject('/docs');
  expect(statusCode).toBeGreaterThanOrEqual(300);
  expect(statusCode).toBeLessThan(400);
  expect(headers.location).toBe('./docs/');
});

it('serveReference lets the page run only its own scripts', async () => {
  const { statusCode, headers } = await app.inject('/docs/');
  expect(statusCode).toBe(200);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self' 'sha256-[^']+'/);
});

it('serveReference refuses a request whose Host header names no host', async () => {
  for (const host of ['a b', 'one.example:port']) {
    const answer = await app.inject({ url: '/docs', headers: { host } });
    expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined]);
  }
});
