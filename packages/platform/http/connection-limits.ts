import type { Server, Socket } from 'node:net';
import type { Logger } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import { type ConnectionLimits, maxOpenFiles, withinOpenFiles } from './open-files.ts';

const LOG_INTERVAL_MILLISECONDS = 10_000;

/** Logs the number of connections that the server closes because it has too many: at most one line per ten seconds. */
function logDropped(server: Server, connections: number, logger: Logger): void {
  let dropped = 0;
  const log = () => {
    logger.warn(
      { dropped, max_connections: connections },
      `The server closed ${dropped} new connections, because ${connections} were open.`,
    );
    dropped = 0;
  };
  server.on('drop', () => {
    if (dropped === 0) setTimeout(log, LOG_INTERVAL_MILLISECONDS).unref();
    dropped += 1;
  });
}

/**
 * Limits the number of a server's connections. Separately, it limits the number of unauthenticated connections, which
 * have not yet sent a request with a valid key or token. When there are too many unauthenticated connections, the one
 * that has gone longest without a request is closed. So clients without a key can neither take the connections of
 * others nor block `/healthz` and metrics.
 *
 * @returns a function to call on a scope after its authentication hooks are added: the connection of each request that
 * passes these hooks then counts as authenticated
 */
export function limitConnections(
  app: FastifyInstance,
  limits: ConnectionLimits,
  logger: Logger,
): (scope: FastifyInstance) => void {
  const { connections, unauthenticatedSockets: maxUnauthenticated } = withinOpenFiles(limits, maxOpenFiles(), logger);
  const unauthenticatedSockets = new Set<Socket>();
  app.server.maxConnections = connections;
  logDropped(app.server, connections, logger);
  app.server.on('connection', (socket) => {
    unauthenticatedSockets.add(socket);
    socket.once('close', () => unauthenticatedSockets.delete(socket));
    if (unauthenticatedSockets.size <= maxUnauthenticated) return;
    const [oldest] = unauthenticatedSockets;
    oldest?.destroy();
  });
  app.addHook('onRequest', ({ raw: { socket } }, _reply, done) => {
    // Move the socket to the end of the order.
    if (unauthenticatedSockets.delete(socket)) unauthenticatedSockets.add(socket);
    done();
  });
  return (scope) => {
    scope.addHook('onRequest', ({ raw: { socket } }, _reply, done) => {
      unauthenticatedSockets.delete(socket);
      done();
    });
  };
}
