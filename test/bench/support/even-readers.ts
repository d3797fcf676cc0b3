import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from './figures.ts';
import type { Reading, ReadingLoad, ReadingServer } from './steady-readers.ts';

/** More connections than concurrent requests, so that no request waits for a connection. */
const CONNECTIONS = 100;

/**
 * Returns the time from the due time of a request to its answer. So it includes the delay of a request that is sent
 * late.
 */
function millisecondsSince(
  dueAt: number,
  { base, headers }: ReadingServer,
  path: string,
  agent: Agent,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(base + path, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${path}: ${answer.statusCode}.`));
      answer.resume();
      answer.once('end', () => resolve(performance.now() - dueAt));
    });
    request.on('error', reject);
  });
}

/**
 * Requests the paths in turn at even intervals, without waiting for earlier answers, as many independent readers do. At
 * 200 requests per second, the interval is 5 ms.
 *
 * @throws Error when any request fails
 */
export async function readEvenly(
  server: ReadingServer,
  paths: readonly string[],
  { requestsPerSecond, seconds }: ReadingLoad,
): Promise<Reading> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const start = performance.now();
  const answers: Promise<number>[] = [];
  try {
    for (let request = 0; request < requestsPerSecond * seconds; request += 1) {
      const dueAt = start + (request * 1_000) / requestsPerSecond;
      while (dueAt > performance.now()) await delay(dueAt - performance.now());
      answers.push(millisecondsSince(dueAt, server, paths[request % paths.length] ?? '', agent));
    }
    const times = await Promise.all(answers);
    return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
  } finally {
    agent.destroy();
  }
}
