import { createLogger } from '@milepost/service';
import { expect, it, onTestFinished } from 'vitest';
import { COMMON_PROBLEMS } from './common-problems.ts';
import { createServer } from './server.ts';

function openServer() {
  const { app } = createServer({ problems: COMMON_PROBLEMS, logger: createLogger('api', 'silent'), connections: 10 });
  onTestFinished(async () => await app.close());
  return app.server;
}

it('a server closes the connection of a consumer that does not read its response, within a minute', () => {
  const { timeout } = openServer();
  // Node never closes such a connection if the timeout is 0.
  expect(timeout).toBeGreaterThan(0);
  expect(timeout).toBeLessThanOrEqual(60_000);
});

it('a server keeps idle connections for longer than the 60 s for which load balancers keep them', () => {
  expect(openServer().keepAliveTimeout).toBeGreaterThan(60_000);
});
