import { pino } from 'pino';
import { expect, it } from 'vitest';
import { withinOpenFiles } from './open-files.ts';

function connectionsWith(files: number | null) {
  const lines: string[] = [];
  const logger = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line).msg) });
  return { connections: withinOpenFiles(10_000, files, logger), lines };
}

it.each([null, 10_100, 1_048_576])('withinOpenFiles keeps the limit when %s files may be open', (files) => {
  expect(connectionsWith(files)).toEqual({ connections: 10_000, lines: [] });
});

it('withinOpenFiles lowers the limit, and logs the limit of the system and the remedy', () => {
  const { connections, lines } = connectionsWith(256);
  expect(connections).toBe(156);
  expect(lines).toEqual([
    'This process may open 256 files, so it accepts 156 connections instead of 10000: raise the limit (ulimit -n, or LimitNOFILE in systemd).',
  ]);
});

it('withinOpenFiles accepts one connection when the system allows hardly any files', () => {
  expect(connectionsWith(20).connections).toBe(1);
});
