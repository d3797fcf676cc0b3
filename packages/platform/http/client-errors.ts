import { randomUUID } from 'node:crypto';
import { ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { CommonProblem } from './common-problems.ts';
import { type HttpProblem, NO_SNIFFING, PROBLEM_TYPE, problemBody } from './problem.ts';
import { type Answers, reportClientError } from './request-log.ts';

function toProblem(code: string | undefined): HttpProblem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new CommonProblem('headers_too_large', 'The URL and the headers of the request exceed 128 KiB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new CommonProblem('request_timeout', 'The request did not arrive in time.');
    default:
      return new CommonProblem('bad_request', 'The request is not valid HTTP.');
  }
}

/**
 * Returns the pending response of this connection. Node keeps the response in `_httpMessage`, and replaces it with the
 * next response when it ends.
 */
export function pendingResponse(socket: Socket): ServerResponse | null {
  return '_httpMessage' in socket && socket._httpMessage instanceof ServerResponse ? socket._httpMessage : null;
}

/**
 * Returns true when the response belongs to the request that could not be parsed and none of its headers have been sent
 * yet.
 */
function isReplaceable({ req, headersSent }: ServerResponse): boolean {
  return !req.complete && !headersSent;
}

function answerLast(problem: HttpProblem, socket: Socket, answers: Answers, publicUrl: string): void {
  const answer = pendingResponse(socket);
  if (socket.writable && answer !== null && !isReplaceable(answer)) {
    answer.once('close', () => answerLast(problem, socket, answers, publicUrl));
    return;
  }
  if (socket.writable) {
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

/**
 * Returns the `clientErrorHandler`, which answers input that Node's HTTP parser refuses. Such input never becomes a
 * request. The handler waits for the answers to earlier requests. Then it closes the connection.
 */
export function answerClientErrors(answers: Answers, publicUrl: string) {
  return (error: { code?: string }, socket: Socket): void => answerClientError(error, socket, answers, publicUrl);
}

function answerClientError(error: { code?: string }, socket: Socket, answers: Answers, publicUrl: string): void {
  if (error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  // Read and drop all further bytes. The parser would report each chunk as a new error, and would end the connection
  // when the client ends its half. If the socket closed with unread bytes, the system would reset it, and the answer
  // would be lost.
  socket
    .removeAllListeners('data')
    .removeAllListeners('end')
    .on('data', () => {});
  answerLast(toProblem(error.code), socket, answers, publicUrl);
}
