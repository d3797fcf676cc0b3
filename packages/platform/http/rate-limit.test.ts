import fastify from 'fastify';
import { expect, it, vi } from 'vitest';
import { limitRate } from './rate-limit.ts';

/** More than the maximum number of callers that a process counts. */
const CALLERS = 5_002;
const MAX_REQUESTS = 10;

it('removes the oldest counter when there are more than 5,000, so that callers cannot fill up the memory', async () => {
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

it('a caller may send again after a minute, however the system clock jumps, and refusals give the delay', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.spyOn(Date, 'now').mockImplementation(() => -3_600_000 * now);
  const app = fastify();
  let exceeded = 0;
  await limitRate(app, 1, {
    keyGenerator: ({ headers }) => String(headers['x-caller']),
    onExceeded: () => {
      exceeded += 1;
    },
  });
  app.get('/', () => 'ok');
  const send = async (caller: string) => {
    const { statusCode, headers, json } = await app.inject({ url: '/', headers: { 'x-caller': caller } });
    return statusCode === 200 ? 200 : [statusCode, headers['retry-after'], json().message];
  };
  const detail = (seconds: number) => `The limit of 1 requests per minute has been reached: retry in ${seconds} s.`;
  expect(await send('one')).toBe(200);
  now = 30_500;
  expect(await send('one')).toEqual([429, '30', detail(30)]);
  expect(await send('two')).toBe(200);
  now = 59_999;
  expect(await send('one')).toEqual([429, '1', detail(1)]);
  now = 60_000;
  expect(await send('one')).toBe(200);
  expect(await send('two')).toEqual([429, '31', detail(31)]);
  expect(exceeded).toBe(3);
  await app.close();
});
