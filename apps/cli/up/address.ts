import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { portError } from '@milepost/http/port-error';

const POLL_MILLISECONDS = 25;
const START_TIMEOUT_MILLISECONDS = 30_000;

/** Clients cannot connect to a wildcard address, so each one is mapped to the loopback address. */
const REACHABLE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/** Returns the base URL with which a client on this machine reaches a server that listens on this host and port. */
export function baseUrl(host: string, port: number): string {
  const reachable = REACHABLE[host] ?? (host.includes(':') ? `[${host}]` : host);
  return `http://${reachable}:${port}`;
}

/**
 * Throws if a process cannot listen at the address. Call this before any process is started.
 *
 * @param setting the name of the setting that contains the port
 */
export async function assertPortFree(host: string, port: number, setting: string): Promise<void> {
  await using server = createServer();
  try {
    await once(server.listen({ host, port }), 'listening');
  } catch (error) {
    throw portError(error, host, port, setting);
  }
}

/**
 * Waits until a process responds to requests. The API must be ready. The ops process need only be alive, because its
 * readiness also reports the faults of other processes. Rejects after 30 seconds or when aborted.
 */
export async function waitUntilReady(process: 'api' | 'ops', url: string, signal: AbortSignal): Promise<void> {
  const path = process === 'api' ? '/readyz' : '/healthz';
  const deadline = performance.now() + START_TIMEOUT_MILLISECONDS;
  while (performance.now() < deadline) {
    signal.throwIfAborted();
    const answer = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
    if (answer?.ok) return;
    await delay(POLL_MILLISECONDS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
  throw new Error(
    `The ${process} process was still not ready at ${url}${path} after ${START_TIMEOUT_MILLISECONDS / 1000} s.`,
  );
}
