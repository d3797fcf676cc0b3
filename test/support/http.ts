import { once } from 'node:events';
import { type Agent, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Answer } from './answers.ts';

interface HttpRequest {
  /** The path, which is sent without normalization. */
  path: string;
  headers?: Record<string, string>;
  method?: string;
  body?: string;
  agent?: Agent;
}

/** Sends one request over a real connection. */
export async function send(
  origin: string,
  { path, body = '', headers = {}, ...options }: HttpRequest,
): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  // Without a Content-Length, the server would read a GET request's body as the start of the next request.
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const outgoing = request({ hostname, port, path, headers: { ...headers, ...length }, ...options });
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  return { statusCode: response.statusCode, headers: response.headers, body: await text(response) };
}

/** Returns the headers of a request with a key. Null means that the request has no Authorization header. */
export function headersOf(key: string | null): Record<string, string> {
  return { 'content-type': 'application/json', ...(key === null ? {} : { authorization: `APIKEY ${key}` }) };
}

/** Requests the drivers of a key's fleet. Returns the response's status, or 0 if there is no response. */
export async function statusOfDrivers(origin: string, key: string): Promise<number> {
  return await fetch(`${origin}/api/v1/drivers`, { headers: headersOf(key) }).then(
    ({ status }) => status,
    () => 0,
  );
}

/** Sends bytes and returns what the server sends until it closes the connection. */
export async function sendRaw(origin: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return await text(socket);
}

/** Parses a raw HTTP/1.1 response. */
export function parseRaw(raw: string): Answer {
  const [head = '', body = ''] = raw.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => line.split(/: */)).map(([name = '', value = '']) => [name.toLowerCase(), value]);
  return { statusCode: Number(statusLine.split(' ')[1]), headers: Object.fromEntries(headers), body };
}
