import { setTimeout as delay } from 'node:timers/promises';

interface Outcomes<Lane, Result> {
  results: Result[];
  failures: { lane: Lane; error: unknown }[];
}

/**
 * Runs `work` in several lanes concurrently. A lane that fails or does not respond in time does not stop the others.
 *
 * @param restarts whether the time limit, when it expires, starts again if a lane has finished in the meantime. Lanes
 *   that wait for each other then have enough time. If a lane does not respond, the result arrives at most two limits
 *   after the other lanes have finished.
 */
export async function inEachLane<Lane, Result>(
  lanes: readonly Lane[],
  maxMilliseconds: number,
  work: (lane: Lane) => Promise<Result>,
  { restarts = false } = {},
): Promise<Outcomes<Lane, Result>> {
  const outcomes: Outcomes<Lane, Result> = { results: [], failures: [] };
  const allEnded = new AbortController();
  let hasOneEnded = false;
  const expire = async () => {
    do {
      hasOneEnded = false;
      await delay(maxMilliseconds, undefined, { signal: allEnded.signal });
    } while (restarts && hasOneEnded);
    const error = new Error(`The lane did not respond within ${maxMilliseconds / 1_000} s.`);
    // This code makes the error count as transient.
    throw Object.assign(error, { code: 'ETIMEDOUT' });
  };
  const late = expire();
  // Without this listener, the rejection after the last outcome would end the process.
  late.catch(() => {});
  const workInTime = async (lane: Lane) => {
    try {
      return await Promise.race([work(lane), late]);
    } finally {
      hasOneEnded = true;
    }
  };
  const settled = await Promise.allSettled(lanes.map(workInTime));
  allEnded.abort();
  for (const [index, outcome] of settled.entries()) {
    const lane = lanes[index];
    if (outcome.status === 'fulfilled') outcomes.results.push(outcome.value);
    else if (lane !== undefined) outcomes.failures.push({ lane, error: outcome.reason });
  }
  return outcomes;
}
