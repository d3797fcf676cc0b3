import type { Socket } from 'node:net';
import { startPostgresProxy } from './postgres-proxy.ts';

/** The name of the statement that reads a session's process id. */
const QUESTION = 'backend-process';
/** The beginning of the message that contains the process id: its type and length. */
const BACKEND_KEY = Buffer.from([0x4b, 0, 0, 0, 12]);

/**
 * Starts a pooler that invents the process ids of its connections. It counts the queries for process ids on all
 * connections. After more than `exchangeAfter` queries, the first two connections swap their sessions for good.
 */
export async function startPoolingPostgres(url: string, exchangeAfter: number) {
  const links: { client: Socket; upstream: Socket }[] = [];
  let questions = 0;
  return await startPostgresProxy(url, (client, openUpstream) => {
    const own = { client, upstream: openUpstream() };
    const place = links.push(own) - 1;
    const current = () => (questions > exchangeAfter ? links[1 - place] : own) ?? own;
    client.on('data', (bytes) => {
      if (bytes.includes(QUESTION)) questions += 1;
      current().upstream.write(bytes);
    });
    own.upstream.on('data', (bytes) => {
      const at = bytes.indexOf(BACKEND_KEY);
      if (at >= 0) bytes.writeInt32BE(0, at + BACKEND_KEY.length);
      current().client.write(bytes);
    });
  });
}
