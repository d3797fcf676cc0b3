import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type Attempts, connectFirst } from '../../apps/cli/database.ts';
import { listenLocally } from '../support/listen.ts';

/** Makes a single attempt. Records the names of the errors that a real caller examines before it tries again. */
function attemptsWith(seen: string[]): Attempts {
  return async (work) =>
    await work().catch((error: unknown) => {
      seen.push(error instanceof Error ? error.name : String(error));
      throw error;
    });
}

it('the first connection to an address without a server fails with an error that is not retried', async () => {
  const seen: string[] = [];
  const connecting = connectFirst('postgres://owner:top-secret@127.0.0.1:1/none', attemptsWith(seen));
  await expect(connecting).rejects.toThrow(/^The database none at 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED.*\.$/);
  expect(seen).toEqual(['DatabaseError']);
});

it('the first connection to a server that is still starting fails with an error that may be retried', async () => {
  const server = createServer((socket) => socket.destroy());
  const port = await listenLocally(server);
  onTestFinished(() => void server.close());
  const seen: string[] = [];
  const connecting = connectFirst(`postgres://owner@127.0.0.1:${port}/none`, attemptsWith(seen));
  await expect(connecting).rejects.toThrow(`The database none at 127.0.0.1:${port} cannot be used: `);
  expect(seen).toHaveLength(1);
  expect(seen).not.toContain('DatabaseError');
});
