import autocannon from 'autocannon';

export interface Load {
  requestsPerSecond: number;
  p99Milliseconds: number;
}

interface LoadOptions {
  headers: Record<string, string>;
  connections: number;
  seconds: number;
}

/**
 * Requests the paths in turn. Each connection sends the next request as soon as the last one is answered. Throws when
 * any request fails.
 */
export async function saturate(base: string, paths: readonly string[], options: LoadOptions): Promise<Load> {
  const result = await autocannon({
    url: base,
    headers: options.headers,
    connections: options.connections,
    duration: options.seconds,
    requests: paths.map((path) => ({ path })),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${base}${paths[0]}: ${result.non2xx} refused, ${result.errors} failed.`);
  return { requestsPerSecond: result.requests.average, p99Milliseconds: result.latency.p99 };
}

/** The number of requests after which the JIT compiler has optimized the code of a request. */
const WARMING_REQUESTS = 5_000;
const WARMING_CONNECTIONS = 8;

/** Sends requests until a newly started server has reached its full speed. */
export async function warmUp(base: string, paths: readonly string[], headers: Record<string, string>): Promise<void> {
  await autocannon({
    url: base,
    headers,
    connections: WARMING_CONNECTIONS,
    amount: WARMING_REQUESTS,
    requests: paths.map((path) => ({ path })),
  });
}
