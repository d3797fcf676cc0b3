import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { CommonProblem } from './common-problems.ts';
import { NO_SNIFFING, PROBLEM_TYPE, problemBody } from './problem.ts';
import { type Answers, reportClientError } from './request-log.ts';

const PROBLEMS: Readonly<Record<string, CommonProblem>> = {
  HPE_HEADER_OVERFLOW: new CommonProblem('headers_too_large', 'The URL and the headers of the request exceed 128 KiB.'),
  ERR_HTTP_REQUEST_TIMEOUT: new CommonProblem('request_timeout', 'The request did not arrive in time.'),
};
const INVALID = new CommonProblem('bad_request', 'The request is not valid HTTP.');

/**
 * Responds to input that Node's HTTP parser rejects and that therefore never becomes a request. Sends the response
 * after the responses to earlier requests on the connection, and then closes the connection.
 *
 * @param pending the server's pending responses
 */
export async function answerClientError(
  { code = '' }: { code?: string },
  socket: Socket,
  pending: Iterable<ServerResponse>,
  answers: Answers,
  publicUrl: string,
): Promise<void> {
  if (code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  // Read and drop all further bytes instead of parsing them, because the parser would report each chunk as a new error,
  // and would end the connection as soon as the client closes its side. If the socket closed with unread bytes, the
  // system would reset it and the response would be lost.
  socket
    .removeAllListeners('data')
    .removeAllListeners('end')
    .on('data', () => {});
  // Wait for the responses to earlier requests. A request that is incomplete, and whose response has no headers yet, is
  // not an earlier one: it is the input that the parser has rejected.
  const earlier = [...pending].filter(({ req, headersSent }) => req.socket === socket && (req.complete || headersSent));
  await Promise.all(earlier.map((response) => new Promise((resolve) => response.once('close', resolve))));
  if (socket.writable) {
    const problem = PROBLEMS[code] ?? INVALID;
    const id = randomUUID();
    const body = problemBody(problem, id, publicUrl);
    const headers = {
      connection: 'close',
      'content-length': Buffer.byteLength(body),
      'content-type': PROBLEM_TYPE,
      'x-request-id': id,
      ...NO_SNIFFING,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`);
    reportClientError(answers, id, problem.status, Buffer.byteLength(body));
  }
  socket.destroySoon();
}
