import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { pendingResponses, stopGracefully } from '../../packages/platform/http/graceful-stop.ts';

/** A response larger than this does not fit into a connection's buffers. */
const BODY_BYTES = 20_000_000;

it('a graceful stop sends the whole response to a client that reads slowly, but closes other connections', async () => {
  const app = fastify();
  app.get('/', async () => 'x'.repeat(BODY_BYTES));
  stopGracefully(app, pendingResponses(app.server));
  const accepted: Socket[] = [];
  app.server.on('connection', (socket) => accepted.push(socket));
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };

  const [slow, silent] = [await open(), await open()];
  slow.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await expect.poll(() => accepted[0]?.writableLength).toBeGreaterThan(0);
  const closed = app.close();
  await once(silent.resume(), 'close');
  const answer = await text(slow);
  expect(answer.length - answer.indexOf('\r\n\r\n') - 4).toBe(BODY_BYTES);
  await closed;
});
