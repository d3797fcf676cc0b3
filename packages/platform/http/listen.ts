import type { FastifyInstance } from 'fastify';
import { portError } from './port-error.ts';

/**
 * The backlog of the listening socket, which is long because a load balancer opens many connections at the same time.
 * When the backlog is full, the system drops the first packet of a connection, and the client sends this packet again
 * only a second later.
 */
const MAX_WAITING_CONNECTIONS = 4_096;

/**
 * Opens the port and returns the URL, such as `http://127.0.0.1:3000`. If that fails, throws an error whose message is
 * one sentence.
 */
export async function listen(app: FastifyInstance, host: string, port: number, setting: string): Promise<string> {
  try {
    return await app.listen({ host, port, backlog: MAX_WAITING_CONNECTIONS });
  } catch (error) {
    throw portError(error, host, port, setting);
  }
}
