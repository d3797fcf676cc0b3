import { buffer } from 'node:stream/consumers';
import { serveLocally } from './listen.ts';

/** @param answer returns the response to the next request */
export async function startRecordingServer(answer: () => Response) {
  const requests: Request[] = [];
  const { origin, close } = await serveLocally(async (request, response) => {
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
  return { origin, requests, close };
}
