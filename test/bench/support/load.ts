import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import autocannon from 'autocannon';
import { percentile } from './figures.ts';
import { size } from './sizes.ts';

/** Percentiles of the response latency, in milliseconds. */
export type Reading = Awaited<ReturnType<typeof readEvenly>>;

/** The server to which requests are sent. */
interface Server {
  base: string;
  headers: Record<string, string>;
}

interface Rate {
  requestsPerSecond: number;
  seconds: number;
}

/** After this many requests, the JIT compiler has optimized the code that handles a request. */
const WARMING_REQUESTS = size(5_000, 50);
const WARMING_CONNECTIONS = 8;

type Load = Pick<autocannon.Options, 'connections' | 'duration' | 'sampleInt' | 'amount' | 'overallRate'>;

/** Requests the paths in turn. Throws when any request fails. */
async function send({ base, headers }: Server, paths: readonly string[], options: Load): Promise<autocannon.Result> {
  const requests = paths.map((path) => ({ path }));
  const result = await autocannon({ url: base, headers, requests, ...options });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${base}${paths[0]}: ${result.non2xx} refused, ${result.errors} failed.`);
  return result;
}

/**
 * Requests the paths in turn. Each connection sends its next request as soon as it has received a response. `seconds`
 * may be a fraction.
 */
export async function saturate(server: Server, paths: readonly string[], connections: number, seconds: number) {
  const { requests, latency, duration } = await send(server, paths, { connections, duration: seconds, sampleInt: 20 });
  return { requestsPerSecond: requests.total / duration, p99Milliseconds: latency.p99 };
}

/** Sends requests until a newly started server has reached full speed. */
export async function warmUp(server: Server, paths: readonly string[]): Promise<void> {
  await send(server, paths, { connections: WARMING_CONNECTIONS, amount: WARMING_REQUESTS });
}

/**
 * Requests the paths in turn on ten connections. At the beginning of every second, each connection sends its share of
 * the requests, one after another. As long as the server keeps up with this rate, the result is the latency that a
 * single reader would see.
 */
export async function readInBursts(server: Server, paths: readonly string[], { requestsPerSecond, seconds }: Rate) {
  const { latency } = await send(server, paths, { connections: 10, overallRate: requestsPerSecond, duration: seconds });
  return { p50: latency.p50, p99: latency.p99 };
}

/** There are more connections than concurrent requests, so no request waits for a connection. */
const EVEN_CONNECTIONS = 100;

/**
 * Returns the time from when a request is due until its response arrives. If the request is sent late, this delay is
 * included.
 */
function millisecondsSince(dueAt: number, { base, headers }: Server, path: string, agent: Agent): Promise<number> {
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
 * Requests the paths in turn at even intervals without waiting for earlier responses, as many independent readers
 * would. At 200 requests per second, the interval is 5 ms.
 *
 * @throws Error when any request fails
 */
export async function readEvenly(server: Server, paths: readonly string[], { requestsPerSecond, seconds }: Rate) {
  const agent = new Agent({ keepAlive: true, maxSockets: EVEN_CONNECTIONS });
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
