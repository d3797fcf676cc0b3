import { type Logger, pino } from 'pino';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One JSON line per entry on stderr: stdout belongs to results. */
export function createLogger(process: string, level: LogLevel): Logger {
  return pino(
    { level, base: { process }, timestamp: pino.stdTimeFunctions.isoTime, messageKey: 'message', errorKey: 'error' },
    pino.destination({ fd: 2, sync: true }),
  );
}

/** What went wrong, without the stack: for faults that pass and are tried again. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

export type { Logger };
