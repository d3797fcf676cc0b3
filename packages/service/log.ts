import { type Logger, type LoggerOptions, pino } from 'pino';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

let time = 0;
let timeText = '';

/** The time as the libraries' own function writes it, made once a millisecond: for a line per request it would be a quarter. */
function isoTime(): string {
  const now = Date.now();
  if (now !== time) timeText = `,"time":"${new Date(now).toISOString()}"`;
  time = now;
  return timeText;
}

function optionsOf(process: string, level: LogLevel): LoggerOptions {
  return {
    level,
    base: { process },
    timestamp: isoTime,
    messageKey: 'message',
    errorKey: 'error',
    formatters: { level: (name) => ({ level: name }) },
  };
}

/** One JSON line per entry on stderr: stdout belongs to results. */
export function createLogger(process: string, level: LogLevel): Logger {
  return pino(optionsOf(process, level), pino.destination({ fd: 2, sync: true }));
}

/** Lines wait so long at most, and no more of them. */
const LONGEST_WAIT_MILLISECONDS = 200;
const MOST_WAITING_CHARACTERS = 16 * 1024;

/**
 * A logger for what comes many times a second: lines wait a moment and are written together, as a write for each costs more
 * than the line. They are written as the process exits, too; those of the last moment are lost when it is killed.
 */
export function createFrequentLogger(name: string, level: LogLevel): Logger {
  const destination = pino.destination({ fd: 2, sync: true });
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting !== '') destination.write(waiting);
    waiting = '';
  };
  process.once('exit', write);
  return pino(optionsOf(name, level), {
    write(line) {
      waiting += line;
      if (waiting.length >= MOST_WAITING_CHARACTERS) write();
      else timer ??= setTimeout(write, LONGEST_WAIT_MILLISECONDS).unref();
    },
  });
}

/** What went wrong, without the stack: for faults that pass and are tried again. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

export type { Logger };
