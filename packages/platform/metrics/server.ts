import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { isIPv6, type Server } from 'node:net';
import { portError } from '@milepost/http/port-error';
import type { Logger, MetricsAddress } from '@milepost/service';
import { collectDefaultMetrics, type Registry } from 'prom-client';

/** Prometheus needs one connection. */
const MAX_CONNECTIONS = 64;
const RECEIVE_TIMEOUT_MILLISECONDS = 10_000;

/** The library's gauges whose names end in `_total`, which Prometheus reserves for counters. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Adds the memory, the processor time, the event-loop delay and the open files of this process. */
export function measureProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
}

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}/metrics`;
}

/**
 * Returns a function that reads metrics. Concurrent calls share one read, so that scrapes do not pile up. If
 * `milliseconds` is given, later calls within this time share the result too.
 */
export function shareReads(read: () => Promise<string>, milliseconds?: number): () => Promise<string> {
  let reading: Promise<string> | undefined;
  const forget = () => {
    reading = undefined;
  };
  return async () => {
    if (reading === undefined) {
      reading = read();
      reading.then(() => (milliseconds === undefined ? forget() : setTimeout(forget, milliseconds).unref()), forget);
    }
    return await reading;
  };
}

/**
 * Serves a registry and this process's own metrics at `/metrics`. The port is separate, because metrics have their own
 * clients. No key is needed, because metrics contain only numbers and names. Without an address, does nothing.
 *
 * @returns a function that closes the port and its connections
 * @throws an error whose message is one sentence, when the port cannot be opened
 */
export async function serveMetrics(
  registry: Registry,
  address: MetricsAddress | undefined,
  logger: Logger,
): Promise<() => Promise<void>> {
  if (address === undefined) return async () => {};
  const { host, port } = address;
  measureProcess(registry);
  const read = shareReads(() => registry.metrics());
  const server = createServer({ requestTimeout: RECEIVE_TIMEOUT_MILLISECONDS }, async ({ method, url }, response) => {
    const isRead = method === 'GET' || method === 'HEAD';
    const isMetrics = url === '/metrics' || url?.startsWith('/metrics?');
    if (!isRead || !isMetrics) {
      answer(response, isRead ? 404 : 405, 'text/plain', 'The only supported request is GET /metrics.\n');
      return;
    }
    await read().then(
      (text) => answer(response, 200, registry.contentType, text),
      () => answer(response, 500, 'text/plain', 'The metrics could not be read.\n'),
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    throw portError(error, host, port, 'METRICS_PORT');
  }
  const url = urlOf(server, host);
  logger.info({ metrics: url }, `The metrics are served at ${url}.`);
  return async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
}
