import type { Logger } from '@milepost/service';
import type { HttpProblem } from './problem.ts';

const LOG_INTERVAL_MILLISECONDS = 10_000;

/**
 * Returns a function that logs failed requests. It logs the first immediately, with its details. Then, every ten
 * seconds, it logs the number of further requests with the same code. A line for each would fill the disk during an
 * outage.
 */
export function logSparsely(logger: Logger): (problem: HttpProblem, details: object) => void {
  /** Requests since the last line, by code. */
  const unlogged = new Map<string, number>();

  function startCount(problem: HttpProblem): void {
    unlogged.set(problem.code, 0);
    setTimeout(logCount, LOG_INTERVAL_MILLISECONDS, problem).unref();
  }

  function logCount(problem: HttpProblem): void {
    const { code, message } = problem;
    const requests = unlogged.get(code) ?? 0;
    unlogged.delete(code);
    if (requests === 0) return;
    logger.warn({ code, requests }, `${message} The same error occurred for ${requests} more requests.`);
    startCount(problem);
  }

  return (problem, details) => {
    const requests = unlogged.get(problem.code);
    if (requests !== undefined) {
      unlogged.set(problem.code, requests + 1);
      return;
    }
    logger.warn(details, problem.message);
    startCount(problem);
  };
}
