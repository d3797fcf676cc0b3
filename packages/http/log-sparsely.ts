import type { Logger } from '@milepost/service';
import type { HttpProblem } from './problem.ts';

const EVERY_MILLISECONDS = 10_000;

/**
 * Makes the function that logs requests that could not be answered: the first at once, with its details, and of those with the
 * same code that follow every ten seconds only how many they were. A line for each would fill the disk while little works.
 */
export function logSparsely(logger: Logger): (problem: HttpProblem, details: object) => void {
  /** Requests since the last line, by code. */
  const untold = new Map<string, number>();

  function startCount(problem: HttpProblem): void {
    untold.set(problem.code, 0);
    setTimeout(tellCount, EVERY_MILLISECONDS, problem).unref();
  }

  function tellCount(problem: HttpProblem): void {
    const { code, message } = problem;
    const requests = untold.get(code) ?? 0;
    untold.delete(code);
    if (requests === 0) return;
    logger.warn({ code, requests }, `${message} It was the same for ${requests} more requests.`);
    startCount(problem);
  }

  return (problem, details) => {
    const requests = untold.get(problem.code);
    if (requests !== undefined) {
      untold.set(problem.code, requests + 1);
      return;
    }
    logger.warn(details, problem.message);
    startCount(problem);
  };
}
