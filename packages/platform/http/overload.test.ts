import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fastify, { type FastifyReply } from 'fastify';
import { expect, it, onTestFinished, vi } from 'vitest';
import { shedOverload } from './overload.ts';
import { HttpProblem } from './problem.ts';

/** Far longer than any test. */
const LONG_MILLISECONDS = 600_000;

/** Resolves after more event loop iterations than an immediate response needs. */
async function someTurns(): Promise<string> {
  for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  return 'still waits';
}

function serverWith(maxWaitMilliseconds: number, maxUnreadAnswers?: number) {
  const app = fastify();
  app.setErrorHandler(async (error, _request, reply) => {
    const { status, code, headers } = error instanceof HttpProblem ? error : { status: 500, code: '', headers: {} };
    return reply.code(status).headers(headers).send({ code });
  });
  const figures = shedOverload(app, { concurrency: 2, maxWaitMilliseconds, maxUnreadAnswers });
  const running: PromiseWithResolvers<string>[] = [];
  app.get('/', async () => {
    const request = Promise.withResolvers<string>();
    running.push(request);
    return await request.promise;
  });
  const send = async () => {
    const { statusCode, headers } = await app.inject('/');
    return [statusCode, headers['retry-after']];
  };
  return { app, figures, running, send };
}

it('requests beyond the limit wait for their turn, in order of arrival', async () => {
  const { app, figures, running, send } = serverWith(LONG_MILLISECONDS);
  await app.ready();
  const answers = [send(), send(), send(), send()];
  await expect.poll(() => running.length + figures().waiting).toBe(4);
  expect(figures()).toEqual({ admitted: 2, refused: 0, running: 2, waiting: 2, concurrency: 2 });
  running[0]?.resolve('first');
  await expect.poll(() => running.length).toBe(3);
  expect(figures()).toEqual({ admitted: 3, refused: 0, running: 2, waiting: 1, concurrency: 2 });
  for (const request of running) request.resolve('others');
  await expect.poll(() => running.length).toBe(4);
  running[3]?.resolve('last');
  expect(await Promise.all(answers)).toEqual(answers.map(() => [200, undefined]));
  expect(figures()).toEqual({ admitted: 4, refused: 0, running: 0, waiting: 0, concurrency: 2 });
  await app.close();
});

it('a request that waits too long is refused, and so are all others until a running request ends', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { app, figures, running, send } = serverWith(300);
  await app.ready();
  const answers = [send(), send()];
  await expect.poll(() => running.length).toBe(2);
  const late = send();
  await expect.poll(() => figures().waiting).toBe(1);
  vi.advanceTimersByTime(299);
  expect(figures()).toMatchObject({ refused: 0, waiting: 1 });
  vi.advanceTimersByTime(1);
  expect(await late).toEqual([503, '2']);
  expect(await Promise.race([send(), someTurns()])).toEqual([503, '2']);
  expect(figures()).toEqual({ admitted: 2, refused: 2, running: 2, waiting: 0, concurrency: 2 });

  running[0]?.resolve('answer');
  expect(await answers[0]).toEqual([200, undefined]);
  answers.push(send(), send());
  await expect.poll(() => running.length + figures().waiting + figures().refused).toBe(6);
  expect(figures()).toEqual({ admitted: 3, refused: 2, running: 2, waiting: 1, concurrency: 2 });
  for (const request of running) request.resolve('answer');
  await expect.poll(() => running.length).toBe(4);
  running[3]?.resolve('answer');
  expect(await Promise.all(answers)).toEqual(answers.map(() => [200, undefined]));
  await app.close();
});

it('a request is refused while too many responses are unread, not counting those whose consumers have disconnected', async () => {
  const { app, figures } = serverWith(LONG_MILLISECONDS, 2);
  const unread: FastifyReply[] = [];
  app.get('/endless', (_request, reply) => {
    unread.push(reply);
    const body = new PassThrough();
    body.write('the beginning');
    reply.send(body);
  });
  app.get('/quick', async () => 'answer');
  const quick = async () => (await app.inject('/quick')).statusCode;
  await app.ready();
  expect(await quick()).toBe(200);
  const endless = [app.inject('/endless'), app.inject('/endless')];
  await expect.poll(() => unread.filter(({ raw }) => raw.headersSent)).toHaveLength(2);
  expect(await quick()).toBe(503);
  expect(figures()).toMatchObject({ admitted: 3, refused: 1, running: 0, waiting: 0 });
  for (const { raw } of unread) raw.destroy();
  for (const { status } of await Promise.allSettled(endless)) expect(status).toBe('rejected');
  expect([await quick(), await quick(), await quick()]).toEqual([200, 200, 200]);
  await app.close();
});
