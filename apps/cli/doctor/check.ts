/** The result of one check of a program that Milepost uses, or of the machine. */
export interface Check {
  subject: 'PostgreSQL' | 'Standby' | 'Kafka' | 'Redis' | 'Machine';
  check: string;
  /**
   * `failed`: a process would fail, or lose records. `warning`: every process works, but with a restriction. `skipped`:
   * unknown.
   */
  result: 'passed' | 'warning' | 'failed' | 'skipped';
  /** The finding and, for a fault, the command or setting that corrects it. */
  message: string;
}

/** The result of a check without its subject, which the caller adds. */
export type Finding = Omit<Check, 'subject'>;
