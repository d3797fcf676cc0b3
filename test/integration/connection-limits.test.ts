import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fastify from 'fastify';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { limitConnections } from '../../packages/http/connection-limits.ts';

// A client without a key that asks for /healthz or metrics must not lose its connection to clients that send nothing.
it('closes the unauthenticated connection that has gone longest without a request', async () => {
  const app = fastify();
  onTestFinished(async () => await app.close());
  limitConnections(app, { connections: 10, unauthenticatedSockets: 2 }, pino({ level: 'silent' }));
  app.get('/', async () => 'answer');
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const open = async (): Promise<Socket> => {
    const accepted = once(app.server, 'connection');
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    await accepted;
    return socket;
  };
  const ask = async (socket: Socket): Promise<string> => {
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return String(await once(socket, 'data'));
  };

  const [asking, idle] = [await open(), await open()];
  expect(await ask(asking)).toContain('answer');
  const closed = Promise.race([
    once(asking, 'close').then(() => 'the one with a request'),
    once(idle, 'close').then(() => 'the other one'),
  ]);
  await open();
  expect(await closed).toBe('the other one');
  expect(await ask(asking)).toContain('answer');
});
