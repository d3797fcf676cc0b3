import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenLocally } from './listen.ts';

/** An HTTP server that records the requests it receives. */
export type RecordingServer = Awaited<ReturnType<typeof startRecordingServer>>;

/** @param answer returns the response to the next request */
export async function startRecordingServer(answer: () => Response) {
  const requests: Request[] = [];
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const body = await buffer(request);
    requests.push(
      new Request(new URL(url, 'http://localhost'), {
        method,
        headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
        body: body.length === 0 ? null : new Uint8Array(body),
      }),
    );
    const answered = answer();
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    response.end(Buffer.from(await answered.arrayBuffer()));
  });
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { origin: `http://127.0.0.1:${await listenLocally(server)}`, requests, close };
}
