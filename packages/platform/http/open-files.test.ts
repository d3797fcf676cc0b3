import { pino } from 'pino';
import { expect, it } from 'vitest';
import { withinOpenFiles } from './open-files.ts';

it.each([
  [null, 10_000, 0],
  [10_100, 10_000, 0],
  [256, 156, 1],
  [20, 1, 1],
])('with %s open files, a server accepts %i connections, and logs %i warnings', (files, connections, warnings) => {
  const lines: string[] = [];
  const logger = pino({ base: null }, { write: (line) => void lines.push(line) });
  expect(withinOpenFiles(10_000, files, logger)).toBe(connections);
  expect(lines).toHaveLength(warnings);
});
