/** The result of one check of a program that Milepost uses, or of the machine. */
export interface Check {
  subject: 'PostgreSQL' | 'Kafka' | 'Redis' | 'Machine';
  check: string;
  /** `failed`: a process would fail, or lose records. `warning`: it works with a restriction. `skipped`: unknown. */
  result: 'passed' | 'warning' | 'failed' | 'skipped';
  /** The finding and, if it is wrong, the command or setting that corrects it. */
  message: string;
}

/** The part of a check that its function knows. */
export type Finding = Omit<Check, 'subject'>;
