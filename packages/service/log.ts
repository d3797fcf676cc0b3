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

export type { Logger };
