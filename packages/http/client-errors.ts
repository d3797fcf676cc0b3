import { randomUUID } from 'node:crypto';
import { ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { CommonProblem } from './common-problems.ts';
import { type HttpProblem, NO_SNIFFING, PROBLEM_TYPE, problemBody } from './problem.ts';

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

/** The answer of this connection that is under way, where Node keeps it: its successor takes the place as it ends. */
export function answerUnderWay(socket: Socket): ServerResponse | null {
  return '_httpMessage' in socket && socket._httpMessage instanceof ServerResponse ? socket._httpMessage : null;
}

/** Whether the answer is to the very request that cannot be read to its end, and can be replaced by its refusal. */
function isReplaceable({ req, headersSent }: ServerResponse): boolean {
  return !req.complete && !headersSent;
}

function answerLast(problem: HttpProblem, socket: Socket): void {
  const answer = answerUnderWay(socket);
  if (socket.writable && answer !== null && !isReplaceable(answer)) {
    answer.once('close', () => answerLast(problem, socket));
    return;
  }
  if (socket.writable) {
    const id = randomUUID();
    const body = problemBody(problem, id);
    const headers = {
      connection: 'close',
      'content-length': Buffer.byteLength(body),
      'content-type': PROBLEM_TYPE,
      'x-request-id': id,
      ...NO_SNIFFING,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`);
  }
  socket.destroySoon();
}

/**
 * Answers what Node's HTTP parser refuses, which never becomes a request, after the requests before it have got their
 * answers. The connection cannot be used again.
 */
export function answerClientError(error: { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  // Whatever still comes is read and dropped: the parser would report each piece of it as one more error and end the
  // connection with the client's half of it, and a connection closed over unread bytes takes its last answer with it.
  socket
    .removeAllListeners('data')
    .removeAllListeners('end')
    .on('data', () => {});
  answerLast(toProblem(error.code), socket);
}
