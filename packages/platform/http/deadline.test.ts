import fastify from 'fastify';
import { expect, it } from 'vitest';
import { limitTime } from './deadline.ts';
import { HttpProblem } from './problem.ts';

it('a read request is refused after the timeout, but a change is not, because it may still succeed', async () => {
  const app = fastify();
  app.setErrorHandler(async (error, _request, reply) => {
    const { status, code, headers } = error instanceof HttpProblem ? error : { status: 500, code: '', headers: {} };
    return reply.code(status).headers(headers).send({ code });
  });
  limitTime(app, 1);
  const hanging = Promise.withResolvers<string>();
  app.all('/', async () => await hanging.promise);
  await app.ready();
  const send = async (method: 'GET' | 'HEAD' | 'POST') => await app.inject({ method, url: '/' });
  // The timers of the first two requests start before the timer of the last one.
  const change = send('POST');
  const head = send('HEAD');
  const refused = await send('GET');
  hanging.resolve('changed');
  const { statusCode, json, headers } = refused;
  expect([statusCode, json(), headers['retry-after']]).toEqual([503, { code: 'unavailable' }, '2']);
  expect((await head).statusCode).toBe(503);
  expect((await change).body).toBe('changed');
  await app.close();
});
