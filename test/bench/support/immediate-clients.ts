import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/** The requests to send, and the duration. */
export interface ClientLoad {
  port: number;
  paths: readonly string[];
  headers: Record<string, string>;
  connections: number;
  seconds: number;
}

export interface ClientResult {
  /** The latency of each response with status 200, in milliseconds. */
  useful: number[];
  /** The number of responses with any other status. */
  refused: number;
  /** How many connections ended before a response and were reopened. */
  cut: number;
  /** This thread's processor time in seconds. */
  processorSeconds: number;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/**
 * Runs clients that send the next request as soon as a response arrives, whatever its status. The clients share the
 * machine with the server under load. They use plain sockets, because a complete HTTP client would use a third of the
 * machine.
 */
function runClients({ port, paths, headers, connections, seconds }: ClientLoad): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`));
  const result: ClientResult = { useful: [], refused: 0, cut: 0, processorSeconds: 0 };
  let sent = 0;
  let over = false;

  function open(): void {
    const socket = connect(port, '127.0.0.1');
    let sentAt = 0;
    let status = 0;
    /** How many bytes of the response have not yet arrived; 0 before the response's head has arrived. */
    let missing = 0;
    function ask(): void {
      sentAt = performance.now();
      socket.write(requests[sent++ % requests.length] ?? '');
    }
    socket.on('connect', ask);
    socket.on('data', (chunk) => {
      if (missing === 0) {
        const head = chunk.toString('latin1', 0, chunk.indexOf(END_OF_HEAD));
        status = Number(head.slice(9, 12));
        missing = head.length + END_OF_HEAD.length + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      }
      missing -= chunk.length;
      if (missing > 0 || over) return;
      if (status === 200) result.useful.push(performance.now() - sentAt);
      else result.refused += 1;
      ask();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      if (over) return;
      result.cut += 1;
      missing = 0;
      open();
    });
  }

  const before = process.threadCpuUsage();
  for (let count = 0; count < connections; count += 1) open();
  setTimeout(() => {
    over = true;
    const { user, system } = process.threadCpuUsage(before);
    parentPort?.postMessage({ ...result, processorSeconds: (user + system) / 1e6 });
  }, seconds * 1000);
}

runClients(workerData);
