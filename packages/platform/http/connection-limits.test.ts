import fastify from 'fastify';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { limitConnections } from './connection-limits.ts';

it('limitConnections logs the number of dropped connections once for each ten seconds in which there are any', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const lines: unknown[] = [];
  const logger = pino(
    { messageKey: 'message', base: {} },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  const app = fastify();
  limitConnections(app, { connections: 7, unauthenticatedSockets: 3 }, logger);
  expect(app.server.maxConnections).toBe(7);
  lines.length = 0;
  const drop = () => app.server.emit('drop');
  drop();
  vi.advanceTimersByTime(9_000);
  drop();
  drop();
  expect(lines).toEqual([]);
  vi.advanceTimersByTime(1_000);
  const message = (dropped: number) => `The server closed ${dropped} new connections, because 7 were open.`;
  expect(lines).toMatchObject([{ dropped: 3, max_connections: 7, message: message(3) }]);
  vi.advanceTimersByTime(60_000);
  expect(lines).toHaveLength(1);
  drop();
  vi.advanceTimersByTime(10_000);
  expect(lines.slice(1)).toMatchObject([{ dropped: 1, message: message(1) }]);
  await app.close();
});
