import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { shedOverload } from '../../packages/platform/http/overload.ts';
import { untilTestEnds } from '../support/fixtures.ts';

// If such requests were handled, consumers that have given up would take the turns of consumers that are still waiting.
it('does not handle a waiting request whose consumer has disconnected', async () => {
  const app = untilTestEnds(fastify({ forceCloseConnections: true }));
  const figures = shedOverload(app, { concurrency: 1, maxWaitMilliseconds: 600_000 });
  const sockets: Socket[] = [];
  app.server.on('connection', (socket) => sockets.push(socket));
  const handled: string[] = [];
  const first = Promise.withResolvers<string>();
  app.get('/:name', async ({ url }) => {
    handled.push(url);
    return url === '/first' ? await first.promise : 'answer';
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const ask = (path: string) => {
    const asking = request(`${origin}${path}`, { agent: false });
    asking.on('error', () => {});
    asking.end();
    return asking;
  };

  const answers = [once(ask('/first'), 'response')];
  await expect.poll(() => figures().running).toBe(1);
  const gone = ask('/gone');
  await expect.poll(() => figures().waiting).toBe(1);
  answers.push(once(ask('/last'), 'response'));
  await expect.poll(() => figures().waiting).toBe(2);
  const [, socket] = sockets;
  gone.destroy();
  if (socket && !socket.destroyed) await once(socket, 'close');
  first.resolve('answer');
  await expect.poll(() => figures().waiting).toBe(0);
  for (const [response] of await Promise.all(answers)) expect(response.statusCode).toBe(200);
  expect(handled).toEqual(['/first', '/last']);
});
