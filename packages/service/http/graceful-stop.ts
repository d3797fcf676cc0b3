import { once } from 'node:events';
import { Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** How long kept-alive connections may still send a request after the listening socket is closed. */
const LAST_REQUESTS_MILLISECONDS = 1_000;
/** Afterwards nobody who does not read their answer keeps the process from ending. */
const LONGEST_ANSWER_MILLISECONDS = 20_000;

/**
 * On `close`, accepts no more connections, answers what arrives on open ones with `Connection: close`, and then waits for
 * the answers under way.
 */
export function stopGracefully(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    if (!app.server.listening) return;
    const drained = once(app.server, 'close');
    // net's close, not http's: the latter also cuts idle connections, on which a request may be under way to us.
    Server.prototype.close.call(app.server);
    await Promise.race([drained, delay(LAST_REQUESTS_MILLISECONDS)]);
    setTimeout(() => app.server.closeAllConnections(), LONGEST_ANSWER_MILLISECONDS).unref();
  });
}
