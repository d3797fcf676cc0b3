import type { Logger } from '@milepost/service';
import { pino } from 'pino';

/** Returns a logger for lines of level `debug` and higher, and the lines that it has written. */
export function recordedLog<Line extends object>(): { logger: Logger; lines: Line[] } {
  const lines: Line[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  return { logger: pino({ level: 'debug', messageKey: 'message', errorKey: 'error', base: {} }, { write }), lines };
}
