import type { Logger } from '@milepost/service';

const LOG_INTERVAL_MILLISECONDS = 10_000;

/**
 * Returns a function that immediately logs the first fault with each code, including its details. After that, it logs
 * every ten seconds how many times the fault has recurred. A line for each occurrence would fill the disk in an outage.
 */
export function logSparsely(logger: Logger): (fault: { code: string; message: string }, details: object) => void {
  /** How many times each fault has occurred since it was last logged, by code. */
  const counts = new Map<string, number>();

  return ({ code, message }, details) => {
    const count = counts.get(code);
    counts.set(code, (count ?? -1) + 1);
    if (count !== undefined) return;
    logger.warn(details, message);
    const timer = setInterval(() => {
      const times = counts.get(code) ?? 0;
      counts.set(code, 0);
      if (times > 0) return logger.warn({ code, times }, `${message} It occurred ${times} more times.`);
      counts.delete(code);
      clearInterval(timer);
    }, LOG_INTERVAL_MILLISECONDS).unref();
  };
}
