import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from './figures.ts';
import type { Reading, ReadingLoad, ReadingServer } from './steady-readers.ts';

/** More requests than are ever under way at once: none waits for a connection. */
const CONNECTIONS = 100;

/** One answer, from the time when its request was due: what a late request waits, its reader waits. */
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
 * Asks for the paths in turn at even intervals, whether the answers before are there or not: at 200 requests a second one
 * every 5 ms, as many readers do who know nothing of each other.
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
