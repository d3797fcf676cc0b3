import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../problems/problem.ts';

async function refuse(): Promise<never> {
  throw new Problem('method_not_allowed', 'This path answers GET and HEAD only.', { headers: { allow: 'GET, HEAD' } });
}

/** Answers 405 to every other method on every path declared after this call. */
export function refuseOtherMethods(app: FastifyInstance): void {
  // CONNECT never arrives as a request: Node closes the connection.
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
  const others = app.supportedMethods.filter((method) => method !== 'GET' && method !== 'HEAD');
  app.addHook('onRoute', ({ method, url }) => {
    if (method === 'GET') {
      // As early as onRequest, so that no body of a refused request is ever parsed.
      app.route({ method: [...others], url, schema: { hide: true }, onRequest: refuse, handler: refuse });
    }
  });
}
