/** The result of checking something about the machine, or about a program that Milepost uses. */
export interface Check {
  subject: 'PostgreSQL' | 'Standby' | 'Kafka' | 'Redis' | 'Machine';
  check: string;
  /**
   * `failed`: a process would fail or lose records. `warning`: every process would work, but with a limitation.
   * `skipped`: the result is unknown.
   */
  result: 'passed' | 'warning' | 'failed' | 'skipped';
  /** The finding and, if it is a fault, the command or setting that corrects it. */
  message: string;
}

/** The result of a check without its subject, which the caller adds. */
export type Finding = Omit<Check, 'subject'>;

/** Returns a finding with one of two messages, depending on whether the check passed. */
export function judge(
  check: string,
  passed: boolean,
  message: string,
  fault: string,
  result: 'failed' | 'warning' = 'failed',
): Finding {
  return passed ? { check, result: 'passed', message } : { check, result, message: fault };
}
