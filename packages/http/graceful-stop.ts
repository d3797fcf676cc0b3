import { once } from 'node:events';
import { Server, type Socket } from 'node:net';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { answerUnderWay } from './client-errors.ts';
import { WAITING_CONNECTIONS } from './listen.ts';

/** How long kept-alive connections may still send a request after the listening socket is closed. */
const LAST_REQUESTS_MILLISECONDS = 1_000;
/** After this nobody who does not read their answer keeps the process from ending: it has 25 s (stop.ts). */
const LONGEST_STOP_MILLISECONDS = 21_000;

/**
 * On `close`, answers every request with `Connection: close`, accepts connections for as long as load balancers need to
 * see that `/readyz` is red, closes those without a request, and then waits for the answers under way. To be called when all
 * routes are registered.
 *
 * @param delaySeconds how long connections are still accepted
 */
export function stopGracefully(app: FastifyInstance, delaySeconds = 0): void {
  const connections = new Set<Socket>();
  let accepted = 0;
  app.server.on('connection', (socket: Socket) => {
    accepted += 1;
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  // A scope of its own: Fastify closes the application's hooks first and then scope after scope, as registered. Here all others
  // have been told of the stop, so that no connection is still paused.
  app.register(async (scope) => {
    scope.addHook('preClose', async () => {
      if (!app.server.listening) return;
      setTimeout(() => app.server.closeAllConnections(), LONGEST_STOP_MILLISECONDS).unref();
      await delay(delaySeconds * 1000);
      // The system has accepted connections that Node takes one a turn: closing its queue with the socket resets them. Turns
      // are counted, for they may take long on a busy machine.
      for (let turns = 0, seen = -1; accepted > seen && turns < WAITING_CONNECTIONS; turns += 1) {
        seen = accepted;
        await turn();
      }
      const drained = once(app.server, 'close');
      // net's close, not http's: the latter also cuts idle connections, on which a request may be under way to us.
      Server.prototype.close.call(app.server);
      await Promise.race([drained, delay(LAST_REQUESTS_MILLISECONDS)]);
      // Timers come before reading: a process that had to wait for a processor still reads what has arrived in time.
      await turn();
      // What http's close cuts, and those on which no request ever arrived, or not all of it: it would wait for them.
      for (const socket of connections) if (answerUnderWay(socket) === null) socket.destroySoon();
    });
  });
}
