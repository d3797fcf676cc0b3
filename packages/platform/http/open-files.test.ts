import { pino } from 'pino';
import { expect, it } from 'vitest';
import { withinOpenFiles } from './open-files.ts';

const LIMITS = { connections: 10_000, unauthenticatedSockets: 8_000 };

function limitsWith(files: number | null) {
  const lines: string[] = [];
  const logger = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line).msg) });
  return { limits: withinOpenFiles(LIMITS, files, logger), lines };
}

it.each([null, 10_100, 1_048_576])('withinOpenFiles keeps the limits when %s files may be open', (files) => {
  expect(limitsWith(files)).toEqual({ limits: LIMITS, lines: [] });
});

it('withinOpenFiles lowers both limits, and logs the limit of the system and the remedy', () => {
  const { limits, lines } = limitsWith(256);
  expect(limits).toEqual({ connections: 156, unauthenticatedSockets: 124 });
  expect(lines).toEqual([
    'This process may open 256 files, so it accepts 156 connections instead of 10000: raise the limit (ulimit -n, or LimitNOFILE in systemd).',
  ]);
});

it('withinOpenFiles accepts one connection when the system allows hardly any files', () => {
  expect(limitsWith(20).limits).toEqual({ connections: 1, unauthenticatedSockets: 1 });
});
