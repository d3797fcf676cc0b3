import autocannon from 'autocannon';

/** Percentiles of the latency of answers, in milliseconds. */
export interface Reading {
  p50: number;
  p99: number;
}

/** The server that readers send requests to. */
export interface ReadingServer {
  base: string;
  headers: Record<string, string>;
}

export interface ReadingLoad {
  requestsPerSecond: number;
  seconds: number;
}

/**
 * Requests the paths in turn on ten connections. At the beginning of every second, each connection sends its share of
 * the requests, one after another. The figures are the latency of a single reader if the server has idle time at this
 * rate.
 *
 * @throws Error when any request fails
 */
export async function readInBursts(
  { base, headers }: ReadingServer,
  paths: readonly string[],
  { requestsPerSecond, seconds }: ReadingLoad,
): Promise<Reading> {
  const result = await autocannon({
    url: base,
    headers,
    connections: 10,
    overallRate: requestsPerSecond,
    duration: seconds,
    requests: paths.map((path) => ({ path })),
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed.`);
  return { p50: result.latency.p50, p99: result.latency.p99 };
}
