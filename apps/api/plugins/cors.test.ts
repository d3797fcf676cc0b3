import fastify from 'fastify';
import { expect, it } from 'vitest';
import { allowOrigins } from './cors.ts';

const [ONE, OTHER] = ['https://one.example', 'https://other.example'];
const PREFLIGHT = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' };

/** Sends a request to a server that these origins may call. Returns the status and the allowed origin. */
async function send(allowed: string[], method: 'GET' | 'OPTIONS', headers: Record<string, string>) {
  const app = fastify();
  await allowOrigins(app, allowed);
  app.get('/', () => 'ok');
  const { statusCode, headers: sent } = await app.inject({ method, url: '/', headers });
  return [statusCode, sent['access-control-allow-origin'], sent['access-control-allow-headers']];
}

const ALLOWED = 'Authorization, Content-Type, If-None-Match, Traceparent, X-Request-Id';

it.each([
  ['names an allowed origin', [ONE, OTHER], 'GET', { origin: ONE }, [200, ONE, undefined]],
  ['names an allowed origin', [OTHER, ONE], 'OPTIONS', { origin: ONE, ...PREFLIGHT }, [204, ONE, ALLOWED]],
  ['does not name another origin', [ONE], 'GET', { origin: OTHER }, [200, undefined, undefined]],
  ['does not name another scheme', [ONE], 'GET', { origin: 'http://one.example' }, [200, undefined, undefined]],
  ['allows all origins with a star', [ONE, '*'], 'OPTIONS', { origin: OTHER, ...PREFLIGHT }, [204, '*', ALLOWED]],
  ['leaves OPTIONS without a preflight as it is', ['*'], 'OPTIONS', { origin: ONE }, [404, undefined, undefined]],
  ['treats only OPTIONS as a preflight', ['*'], 'GET', { origin: ONE, ...PREFLIGHT }, [200, '*', undefined]],
] as const)('allowOrigins %s: %j', async (_what, allowed, method, headers, expected) => {
  expect(await send([...allowed], method, headers)).toEqual(expected);
});
