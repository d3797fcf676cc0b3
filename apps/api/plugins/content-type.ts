import type { FastifyInstance } from 'fastify';
import { Problem } from '../problems/problem.ts';

const JSON_TYPE = /^application\/json[ \t]*(;|$)/i;

/**
 * Refuses requests whose Content-Type is not `application/json`, although none of them has a body: the interface requires
 * the header. Runs after the rate limit, so that refused requests count too.
 */
export function requireJsonContentType(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    if (JSON_TYPE.test(request.headers['content-type'] ?? '')) return;
    throw new Problem('unsupported_media_type', 'The header Content-Type must be application/json.');
  });
}
