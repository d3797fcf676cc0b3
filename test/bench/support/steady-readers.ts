import autocannon from 'autocannon';

/** How long answers took, in milliseconds. */
export interface Reading {
  p50: number;
  p99: number;
}

/** Whom readers ask. */
export interface ReadingServer {
  base: string;
  headers: Record<string, string>;
}

export interface ReadingLoad {
  requestsPerSecond: number;
  seconds: number;
}

/**
 * Asks for the paths in turn as ten consumers do who each want their share of so many answers at the beginning of every
 * second, one after the other: at a rate that leaves the server time to breathe, the figures are what a reader waits.
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
