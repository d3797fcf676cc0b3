import fastify from 'fastify';
import { expect, it } from 'vitest';
import { matchesTag, sendJson } from './send-json.ts';

it.each(['W/"a"', '"a"', '"x","a" ', '"x,y", "a"', '"*","a"', ' * '])(
  'If-None-Match %s matches the weak tag a',
  (header) => expect(matchesTag(header, 'W/"a"')).toBe(true),
);

it.each([undefined, '', 'a', '"b"', 'W/"A"', '"a', '"a,*,b"', '"*"', '"b", *', '"b,"a",c"'])(
  'If-None-Match %j does not match the weak tag a',
  (header) => expect(matchesTag(header, 'W/"a"')).toBe(false),
);

const LENGTH = 100_000;

it.each([0, 4_095, 4_096, LENGTH - 1])('the tag differs when the body differs only at character %d', async (index) => {
  const app = fastify();
  let body = 'x'.repeat(LENGTH);
  app.get('/', async (_request, reply) => sendJson(reply, { position: 1, lag_seconds: 0 }, body));
  const { etag = '' } = (await app.inject('/')).headers;
  const ask = async () => await app.inject({ url: '/', headers: { 'if-none-match': etag } });
  expect((await ask()).statusCode).toBe(304);
  body = `${body.slice(0, index)}y${body.slice(index + 1)}`;
  const changed = await ask();
  expect([changed.statusCode, changed.body === body]).toEqual([200, true]);
});
