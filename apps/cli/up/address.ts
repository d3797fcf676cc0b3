import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { refusal } from '@milepost/http/listen';
import { messageOf } from '@milepost/service';

const POLL_MILLISECONDS = 25;
const LONGEST_START_MILLISECONDS = 30_000;

/** Addresses that stand for all of a machine's own, where a client needs one that it can call. */
const CALLABLE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/** The base address under which a client on this machine reaches what listens there. */
export function baseUrl(host: string, port: number): string {
  const callable = CALLABLE[host] ?? (host.includes(':') ? `[${host}]` : host);
  return `http://${callable}:${port}`;
}

/**
 * Throws when a process could not listen there, before anything else is started in vain.
 *
 * @param setting the setting that names the port
 */
export async function assertPortFree(host: string, port: number, setting: string): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw new Error(
      refusal(code, host, port, setting) ??
        `Nothing can listen on ${host}, port ${port} (${setting}): ${messageOf(error)}.`,
      {
        cause: error,
      },
    );
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

/**
 * Resolves when a process can answer: the operators' as soon as it is alive, as its readiness tells of faults elsewhere, which
 * it is there to show. Rejects when it cannot within 30 seconds, or when aborted.
 */
export async function waitUntilReady(process: 'api' | 'ops', url: string, signal: AbortSignal): Promise<void> {
  const path = process === 'api' ? '/readyz' : '/healthz';
  const deadline = performance.now() + LONGEST_START_MILLISECONDS;
  while (performance.now() < deadline) {
    signal.throwIfAborted();
    const answer = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
    if (answer?.ok) return;
    await delay(POLL_MILLISECONDS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
  throw new Error(`The ${process} process is not ready at ${url}${path} after ${LONGEST_START_MILLISECONDS / 1000} s.`);
}
