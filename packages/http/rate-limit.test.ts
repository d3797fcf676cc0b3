import fastify from 'fastify';
import { expect, it } from 'vitest';
import { limitRate } from './rate-limit.ts';

/** More callers than a process counts. */
const CALLERS = 5_002;
const MAX_REQUESTS = 10;

it('removes the oldest counter of more than 5,000, so that callers cannot fill up the memory', async () => {
  const app = fastify();
  await limitRate(app, MAX_REQUESTS, { keyGenerator: ({ headers }) => String(headers['x-caller']) });
  app.get('/', () => 'ok');
  const remaining = async (caller: number) => {
    const { headers } = await app.inject({ url: '/', headers: { 'x-caller': String(caller) } });
    return Number(headers['ratelimit-remaining']);
  };
  for (let caller = 1; caller <= CALLERS; caller += 1) expect(await remaining(caller)).toBe(MAX_REQUESTS - 1);
  expect(await remaining(CALLERS)).toBe(MAX_REQUESTS - 2);
  expect(await remaining(1)).toBe(MAX_REQUESTS - 1);
  await app.close();
});
