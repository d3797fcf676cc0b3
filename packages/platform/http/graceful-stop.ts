import { once } from 'node:events';
import type { Server as HttpServer, ServerResponse } from 'node:http';
import { Server, type Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextIteration } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** The listening socket closes after this time without a new connection, or after `MAX_ACCEPT_MILLISECONDS`. */
const QUIET_MILLISECONDS = 500;
const MAX_ACCEPT_MILLISECONDS = 5_000;
/** Clients may send requests on keep-alive connections for this long after the listening socket closes. */
const LAST_REQUESTS_MILLISECONDS = 1_000;
const IDLE_CHECK_MILLISECONDS = 50;
/**
 * After this time, all connections close, whether or not clients read responses. The process has 25 s to stop
 * (stop.ts).
 */
const MAX_STOP_MILLISECONDS = 21_000;

/** Returns a server's responses that have not been completely sent yet, in the order of their requests. */
export function pendingResponses(server: HttpServer): ReadonlySet<ServerResponse> {
  const pending = new Set<ServerResponse>();
  server.on('request', (_request, response: ServerResponse) => {
    pending.add(response);
    response.once('close', () => pending.delete(response));
  });
  return pending;
}

/**
 * Accepts connections until no more arrive or five seconds have passed, and returns them without reading from them. The
 * system has already established these connections and would reset them if the listening socket closed before they were
 * accepted. Clients that reconnect immediately cannot prolong this wait, because a client that awaits a response does
 * not open new connections.
 */
async function acceptWaiting(server: HttpServer): Promise<Socket[]> {
  const held: Socket[] = [];
  const startedAt = performance.now();
  let acceptedAt = startedAt;
  const hold = (socket: Socket) => {
    acceptedAt = performance.now();
    held.push(socket);
    // Node's listener has just scheduled the socket to resume in the next tick, so pause it in that tick.
    process.nextTick(() => socket.pause());
  };
  server.on('connection', hold);
  // Node accepts one connection per event loop iteration, so compare the times only after an iteration. Otherwise, a
  // process that had received no CPU time would stop waiting before it had accepted any connection.
  let now = startedAt;
  while (now - acceptedAt < QUIET_MILLISECONDS && now - startedAt < MAX_ACCEPT_MILLISECONDS) {
    now = performance.now();
    await nextIteration();
  }
  server.off('connection', hold);
  return held;
}

/**
 * On `close`, responds to every request with `Connection: close`, and continues to accept connections until load
 * balancers have noticed that `/readyz` fails. Then it closes the listening socket and waits until every request that
 * has begun to arrive has received its response. Call it after all routes are registered.
 *
 * @param pending the server's pending responses
 * @param delaySeconds the time during which the server continues to accept connections
 */
export function stopGracefully(app: FastifyInstance, pending: ReadonlySet<ServerResponse>, delaySeconds = 0): void {
  const { server } = app;
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  function closeIdle(): void {
    // Node counts connections that have never sent a byte as active.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroySoon();
    // Let Node close the idle connections, because only Node knows whether a request has begun. Do not close any while
    // a response is pending, because Node would truncate a response whose last bytes have not been sent yet.
    if (pending.size === 0) server.closeIdleConnections();
  }
  // Fastify runs the application's preClose hooks first and then those of each scope, in the order of registration.
  // This scope is the last one, so all other hooks have already run, and overload.ts no longer pauses connections.
  app.register(async (scope) => {
    scope.addHook('preClose', async () => {
      if (!server.listening) return;
      setTimeout(() => server.closeAllConnections(), MAX_STOP_MILLISECONDS).unref();
      await delay(delaySeconds * 1000);
      const held = await acceptWaiting(server);
      const closed = once(server, 'close');
      // Call net's close, because http's close would also close idle connections, on which a request may be in transit.
      Server.prototype.close.call(server);
      for (const socket of held) socket.resume();
      await Promise.race([closed, delay(LAST_REQUESTS_MILLISECONDS)]);
      // Timers run before reads, so wait for one more iteration. Then even a process that did not receive CPU time
      // reads the requests that arrived in time.
      await nextIteration();
      // Wait until all connections are closed, because after this hook, Fastify calls http's close. That call truncates
      // responses that are being sent, and ends the checks for requests that arrive too slowly.
      const isClosed = async () => await Promise.race([closed.then(() => true), delay(IDLE_CHECK_MILLISECONDS, false)]);
      do closeIdle();
      while (!(await isClosed()));
    });
  });
}
