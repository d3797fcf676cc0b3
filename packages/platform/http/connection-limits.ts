import type { Socket } from 'node:net';
import type { Logger } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import { logSparsely } from './log-sparsely.ts';
import { maxOpenFiles, withinOpenFiles } from './open-files.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Call this on a scope after you have added its authentication hooks. A connection then counts as authenticated as
     * soon as one of its requests passes these hooks.
     */
    trustAuthenticated: () => void;
  }
}

/** The maximum fraction of connections that may be unauthenticated. */
const UNAUTHENTICATED_SHARE = 0.8;

/**
 * Limits the number of a server's connections and, separately, the number of unauthenticated connections, on which no
 * request with a valid key or token has arrived yet. When there are too many unauthenticated connections, the server
 * closes the one that has gone longest without a request. Clients without a key therefore cannot use up other clients'
 * connections or block `/healthz` and metrics.
 */
export function limitConnections(app: FastifyInstance, connections: number, logger: Logger): void {
  const maximum = withinOpenFiles(connections, maxOpenFiles(), logger);
  const maxUnauthenticated = Math.max(Math.floor(maximum * UNAUTHENTICATED_SHARE), 1);
  const unauthenticated = new Set<Socket>();
  const dropped = { code: 'connection_dropped', message: `A new connection was closed: ${maximum} were already open.` };
  const log = logSparsely(logger);
  app.server.maxConnections = maximum;
  app.server.on('drop', () => log(dropped, { max_connections: maximum }));
  app.server.on('connection', (socket) => {
    unauthenticated.add(socket);
    socket.once('close', () => unauthenticated.delete(socket));
    if (unauthenticated.size <= maxUnauthenticated) return;
    const [oldest] = unauthenticated;
    oldest?.destroy();
  });
  app.addHook('onRequest', ({ raw: { socket } }, _reply, done) => {
    // Move the socket to the end of the set.
    if (unauthenticated.delete(socket)) unauthenticated.add(socket);
    done();
  });
  app.decorate('trustAuthenticated', function trustAuthenticated(this: FastifyInstance) {
    this.addHook('onRequest', ({ raw: { socket } }, _reply, done) => {
      unauthenticated.delete(socket);
      done();
    });
  });
}
