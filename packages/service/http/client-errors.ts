import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { CommonProblem } from './common-problems.ts';
import { type HttpProblem, PROBLEM_TYPE, problemBody } from './problem.ts';

function toProblem(code: string | undefined): HttpProblem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new CommonProblem('headers_too_large', 'The address and the headers of the request exceed 128 KiB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new CommonProblem('request_timeout', 'The request did not arrive in time.');
    default:
      return new CommonProblem('bad_request', 'The request is not valid HTTP.');
  }
}

/** Whether an answer to an earlier request of this connection is under way; Node keeps it here. */
function isAnswering(socket: Socket): boolean {
  return '_httpMessage' in socket && socket._httpMessage !== null;
}

/** Answers what Node's HTTP parser refuses, which never becomes a request. The connection cannot be used again. */
export function answerClientError(error: { code?: string }, socket: Socket): void {
  // Bytes written into the middle of another answer would corrupt it: that one ends with the connection.
  if (socket.writable && error.code !== 'ECONNRESET' && !isAnswering(socket)) {
    const problem = toProblem(error.code);
    const body = problemBody(problem, randomUUID());
    socket.write(
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\nContent-Type: ${PROBLEM_TYPE}\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroySoon();
}
