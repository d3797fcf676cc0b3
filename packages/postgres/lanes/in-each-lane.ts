import { setTimeout as delay } from 'node:timers/promises';

interface Outcomes<Lane, Result> {
  results: Result[];
  failures: { lane: Lane; error: unknown }[];
}

/**
 * Runs `work` in several lanes concurrently. A lane that fails, or does not answer in time, does not stop the others.
 */
export async function inEachLane<Lane, Result>(
  lanes: readonly Lane[],
  maxMilliseconds: number,
  work: (lane: Lane) => Promise<Result>,
): Promise<Outcomes<Lane, Result>> {
  const outcomes: Outcomes<Lane, Result> = { results: [], failures: [] };
  const ended = new AbortController();
  const late = delay(maxMilliseconds, undefined, { signal: ended.signal }).then(() => {
    // The code counts as transient.
    throw Object.assign(new Error(`The lane does not answer within ${maxMilliseconds} ms.`), { code: 'ETIMEDOUT' });
  });
  // Without this listener, the rejection after the last outcome would end the process.
  late.catch(() => {});
  const settled = await Promise.allSettled(lanes.map((lane) => Promise.race([work(lane), late])));
  ended.abort();
  for (const [index, outcome] of settled.entries()) {
    const lane = lanes[index];
    if (outcome.status === 'fulfilled') outcomes.results.push(outcome.value);
    else if (lane !== undefined) outcomes.failures.push({ lane, error: outcome.reason });
  }
  return outcomes;
}
