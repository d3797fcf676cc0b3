import { type Logger, pino } from 'pino';
import { type LogLevel, optionsOf } from './log.ts';

/** The buffer is written after this long, or when it contains this many characters. */
const MAX_WAIT_MILLISECONDS = 200;
const MAX_WAITING_CHARACTERS = 16 * 1024;

/**
 * Creates a logger for frequent lines. A write costs more than a line, so the logger buffers lines and writes them
 * together. It also writes the buffered lines when the process exits, but they are lost if the process is killed.
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
      if (waiting.length >= MAX_WAITING_CHARACTERS) write();
      else timer ??= setTimeout(write, MAX_WAIT_MILLISECONDS).unref();
    },
  });
}
