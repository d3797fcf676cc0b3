import { type Logger, type LoggerOptions, pino } from 'pino';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

let time = 0;
let timeText = '';

/**
 * Formats the time as pino does, but only once per millisecond, because formatting it for every request would account
 * for a quarter of a log line's cost.
 */
function isoTime(): string {
  const now = Date.now();
  if (now !== time) timeText = `,"time":"${new Date(now).toISOString()}"`;
  time = now;
  return timeText;
}

/** Only `startDiagnostics` sets this variable, because commands start faster without the tracing code. */
let addedFields: (() => object) | undefined;

/** Adds the fields returned by `read` to each line of all loggers created afterwards. */
export function addLogFields(read: () => object): void {
  addedFields = read;
}

/** Returns the options of all loggers. */
export function optionsOf(process: string, level: LogLevel): LoggerOptions {
  return {
    level,
    base: { process },
    timestamp: isoTime,
    messageKey: 'message',
    errorKey: 'error',
    formatters: { level: (name) => ({ level: name }) },
    ...(addedFields ? { mixin: addedFields } : {}),
  };
}

/** Creates a logger that writes one JSON line per entry to stderr, because commands write results to stdout. */
export function createLogger(process: string, level: LogLevel): Logger {
  return pino(optionsOf(process, level), pino.destination({ fd: 2, sync: true }));
}

/** Returns the message of an error without the stack, for retried transient errors. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

/** Returns an error's message without its full stop, for use at the end of a sentence. */
export function causeOf(error: unknown): string {
  return messageOf(error).replace(/\.$/, '');
}

export type { Logger };
