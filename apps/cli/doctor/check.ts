/** The result of checking something about the machine, or about a program that Milepost uses. */
export interface Check {
  subject: 'PostgreSQL' | 'Standby' | 'Kafka' | 'Redis' | 'Machine';
  check: string;
  /**
   * `failed` means that a process would fail or lose records, `warning` that every process works, but with a
   * restriction, and `skipped` that the result is unknown.
   */
  result: 'passed' | 'warning' | 'failed' | 'skipped';
  /** The finding, and for a fault also the command or setting that corrects it. */
  message: string;
}

/** The result of a check without its subject, which the caller adds. */
export type Finding = Omit<Check, 'subject'>;
