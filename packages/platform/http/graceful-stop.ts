import { once } from 'node:events';
import { Server, type Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextIteration } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { pendingResponse } from './client-errors.ts';

/** The listening socket closes after this time without a new connection, or after `MAX_ACCEPT_MILLISECONDS`. */
const QUIET_MILLISECONDS = 500;
const MAX_ACCEPT_MILLISECONDS = 5_000;
/** Keep-alive connections may send a request for this long after the listening socket closes. */
const LAST_REQUESTS_MILLISECONDS = 1_000;
const IDLE_CHECK_MILLISECONDS = 50;
/** After this time all connections close, even if a client does not read its answer. The process has 25 s (stop.ts). */
const MAX_STOP_MILLISECONDS = 21_000;

/** All open connections of a server. */
class Connections {
  readonly #open = new Set<Socket>();
  readonly #held = new Set<Socket>();
  #holding = false;
  #acceptedAt = Number.NEGATIVE_INFINITY;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#acceptedAt = performance.now();
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
      if (!this.#holding) return;
      this.#held.add(socket);
      // Pause in the next tick: Node's listener has just scheduled a resume of the socket for that tick.
      process.nextTick(() => this.#held.has(socket) && socket.pause());
    });
  }

  /**
   * Accepts connections without reading from them until no more arrive, for five seconds at most. The system has
   * already established these connections, and resets them if the listening socket closes before they are accepted. A
   * client without an answer opens no further connection, so clients that reconnect immediately cannot prolong this
   * wait.
   */
  async acceptWaiting(): Promise<void> {
    this.#holding = true;
    const startedAt = performance.now();
    this.#acceptedAt = startedAt;
    let now = startedAt;
    // Node accepts one connection per event loop iteration. Compare the times after an iteration: otherwise a process
    // that got no CPU time would accept no connection.
    while (now - this.#acceptedAt < QUIET_MILLISECONDS && now - startedAt < MAX_ACCEPT_MILLISECONDS) {
      now = performance.now();
      await nextIteration();
    }
  }

  /** Resumes the connections that `acceptWaiting` paused. */
  release(): void {
    this.#holding = false;
    for (const socket of this.#held) socket.resume();
    this.#held.clear();
  }

  /** Closes connections that have no pending request, not even a partial one. */
  closeIdle(app: FastifyInstance): void {
    // Node counts connections that never sent a byte as active.
    for (const socket of this.#open) if (socket.bytesRead === 0) socket.destroySoon();
    // Only Node knows whether a request has begun, but its closeIdleConnections would truncate a response whose last
    // bytes are not sent yet.
    const isSending = [...this.#open].some((socket) => pendingResponse(socket)?.writableEnded);
    if (!isSending) app.server.closeIdleConnections();
  }
}

/**
 * On `close`, answers every request with `Connection: close`, and accepts connections while load balancers notice that
 * `/readyz` fails. Then it closes the listening socket, and waits until every request that has begun to arrive is
 * answered. Call it after all routes are registered.
 *
 * @param delaySeconds the time during which the server still accepts connections
 */
export function stopGracefully(app: FastifyInstance, delaySeconds = 0): void {
  const connections = new Connections(app.server);
  // Fastify runs the application's preClose hooks first, then those of each scope in the order of registration. In this
  // last scope all other hooks have run, so no connection is still paused.
  app.register(async (scope) => {
    scope.addHook('preClose', async () => {
      if (!app.server.listening) return;
      setTimeout(() => app.server.closeAllConnections(), MAX_STOP_MILLISECONDS).unref();
      await delay(delaySeconds * 1000);
      await connections.acceptWaiting();
      const closed = once(app.server, 'close');
      // Call net's close, not http's: http's also closes idle connections, on which a request may be in transit.
      Server.prototype.close.call(app.server);
      connections.release();
      await Promise.race([closed, delay(LAST_REQUESTS_MILLISECONDS)]);
      // Timers run before reads. Wait for one more iteration, so that even a process that got no CPU time reads
      // requests that arrived in time.
      await nextIteration();
      // Fastify calls http's close next. It would truncate responses that are being sent, and would stop checking for
      // requests that arrive too slowly. So wait until all connections are closed.
      const isClosed = async () => await Promise.race([closed.then(() => true), delay(IDLE_CHECK_MILLISECONDS, false)]);
      do connections.closeIdle(app);
      while (!(await isClosed()));
    });
  });
}
