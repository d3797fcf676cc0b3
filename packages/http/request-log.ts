import type { Logger } from '@milepost/service';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface RequestLog {
  logger: Logger;
  /** What else to say of a request once it is answered. */
  about?: (request: FastifyRequest) => Readonly<Record<string, string>>;
}

/**
 * Logs a line for each request once it is answered. It has the route, never the address: an address holds ids of drivers.
 * `bytes` is the length of the body as it was sent; left out where it was sent in pieces.
 */
export function logRequests(app: FastifyInstance, { logger, about = () => ({}) }: RequestLog): void {
  app.addHook('onResponse', (request, reply, done) => {
    const length = reply.getHeader('content-length');
    // The logger leaves out what is undefined.
    const bytes = length === undefined ? undefined : Number(length);
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10;
    const { id: request_id, method } = request;
    const route = request.routeOptions.url ?? null;
    logger.info(
      { request_id, method, route, status: reply.statusCode, milliseconds, bytes, ...about(request) },
      'request',
    );
    done();
  });
}
