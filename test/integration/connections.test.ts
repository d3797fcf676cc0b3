import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { limitConnections } from '../../packages/platform/http/connection-limits.ts';
import { pendingResponses, stopGracefully } from '../../packages/platform/http/graceful-stop.ts';
import { shedOverload } from '../../packages/platform/http/overload.ts';
import { untilTestEnds } from '../support/fixtures.ts';

/** A response larger than this does not fit into a connection's buffers. */
const BODY_BYTES = 20_000_000;

async function open(app: FastifyInstance): Promise<Socket> {
  const accepted = once(app.server, 'connection');
  const address = app.server.address();
  const socket = connect(typeof address === 'object' ? Number(address?.port) : 0, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await accepted;
  return socket;
}

async function ask(socket: Socket, host = 'localhost'): Promise<string> {
  socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  return String(await once(socket, 'data'));
}

// Requests for /healthz and metrics are unauthenticated too, so idle connections must not displace their connections.
it('closes the unauthenticated connection that has sent no request for the longest time', async () => {
  const app = untilTestEnds(fastify());
  // With this limit, two connections can be unauthenticated.
  limitConnections(app, 3, pino({ level: 'silent' }));
  app.get('/', async () => 'answer');
  await app.listen({ host: '127.0.0.1', port: 0 });

  const [asking, idle] = [await open(app), await open(app)];
  expect(await ask(asking)).toContain('answer');
  const closed = Promise.race([
    once(asking, 'close').then(() => 'the one with a request'),
    once(idle, 'close').then(() => 'the other one'),
  ]);
  await open(app);
  expect(await closed).toBe('the other one');
  expect(await ask(asking)).toContain('answer');
});

it('never closes the connection of a client with a key, however many others send nothing', async () => {
  const app = untilTestEnds(fastify());
  limitConnections(app, 10, pino({ level: 'silent' }));
  await app.register(async (scope) => {
    scope.addHook('onRequest', async ({ headers }, reply) => {
      if (headers.host !== 'known') await reply.code(401).send('refused');
    });
    scope.trustAuthenticated();
    scope.get('/', async () => 'answer');
  });
  await app.listen({ host: '127.0.0.1', port: 0 });

  const known = await open(app);
  const wrong = once(known, 'close').then(() => 'the one with a key');
  expect(await ask(known, 'known')).toContain('answer');
  const unknown = await open(app);
  expect(await ask(unknown, 'unknown')).toContain('refused');
  const closed = once(unknown, 'close').then(() => 'the one without a key');
  for (let others = 0; others < 8; others += 1) await open(app);
  expect(await Promise.race([closed, wrong])).toBe('the one without a key');
  expect(await ask(known, 'known')).toContain('answer');
});

it('logs that it closes new connections because too many are open', () => {
  const warn = vi.fn();
  const app = fastify();
  limitConnections(app, 7, Object.assign(pino({ level: 'silent' }), { warn }));
  expect(app.server.maxConnections).toBe(7);
  for (let drops = 0; drops < 3; drops += 1) app.server.emit('drop');
  expect(warn.mock.calls).toEqual([[{ max_connections: 7 }, 'A new connection was closed: 7 were already open.']]);
});

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

it('a graceful stop sends whole responses to slow readers and running requests, but closes other connections', async () => {
  const app = fastify();
  app.get('/', async () => 'x'.repeat(BODY_BYTES));
  const working = Promise.withResolvers<string>();
  app.get('/running', async () => await working.promise);
  stopGracefully(app, pendingResponses(app.server));
  const accepted: Socket[] = [];
  app.server.on('connection', (socket) => accepted.push(socket));
  await app.listen({ host: '127.0.0.1', port: 0 });

  const [slow, silent, running] = [await open(app), await open(app), await open(app)];
  running.write('GET /running HTTP/1.1\r\nHost: localhost\r\n\r\n');
  slow.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await expect.poll(() => accepted[0]?.writableLength).toBeGreaterThan(0);
  const closed = app.close();
  await once(silent.resume(), 'close');
  working.resolve('worked');
  const [answer, other] = await Promise.all([text(slow), text(running)]);
  expect(answer.length - answer.indexOf('\r\n\r\n') - 4).toBe(BODY_BYTES);
  expect(other).toMatch(/^HTTP\/1.1 200 OK\r\n.*\r\n\r\nworked$/s);
  await closed;
});
