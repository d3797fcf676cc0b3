import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Sets how many connections a server may have, and how many of them strangers may: those that have sent no request with a
 * valid key or token yet. One stranger more, and the one that is longest without a request loses its connection. So
 * nobody without a key can take the connections of others, nor keep health and metrics from being asked for.
 *
 * @returns takes whoever gets past the checks of a scope so far for no stranger
 */
export function limitConnections(
  app: FastifyInstance,
  { connections, strangers: most }: { connections: number; strangers: number },
): (scope: FastifyInstance) => void {
  const strangers = new Set<Socket>();
  app.server.maxConnections = connections;
  app.server.on('connection', (socket) => {
    strangers.add(socket);
    socket.once('close', () => strangers.delete(socket));
    if (strangers.size <= most) return;
    const [longest] = strangers;
    longest?.destroy();
  });
  app.addHook('onRequest', ({ raw: { socket } }, _reply, done) => {
    // To the end of the order.
    if (strangers.delete(socket)) strangers.add(socket);
    done();
  });
  return (scope) => {
    scope.addHook('onRequest', ({ raw: { socket } }, _reply, done) => {
      strangers.delete(socket);
      done();
    });
  };
}
