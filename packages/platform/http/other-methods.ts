import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { CommonProblem } from './common-problems.ts';

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });

/**
 * Records the methods of all routes declared afterwards.
 *
 * @returns a function that makes each of these paths respond with 405 to all other methods; call it once, after all
 *   routes are declared
 */
export function watchMethods(app: FastifyInstance): () => void {
  // CONNECT never arrives as a request, because Node closes the connection.
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
  const methodsOf = new Map<string, Set<string>>();
  let watching = true;
  app.addHook('onRoute', ({ method, url }) => {
    // `*` stands for all unknown paths, which respond with 404.
    if (!watching || url === '*') return;
    const methods = methodsOf.get(url) ?? new Set();
    // Fastify adds a HEAD to every GET, and for a path with a trailing slash, it reports only the HEAD.
    for (const one of [method].flat()) {
      if (one === 'HEAD') methods.add('GET');
      methods.add(one);
    }
    methodsOf.set(url, methods);
  });
  return () => {
    watching = false;
    for (const [url, methods] of methodsOf) {
      const headers = { allow: [...methods].join(', ') };
      const refuse = async (): Promise<never> => {
        throw new CommonProblem('method_not_allowed', `This path supports only ${LIST.format(methods)}.`, { headers });
      };
      const others = app.supportedMethods.filter((method) => !methods.has(method));
      // Refuse in onRequest, so that Fastify does not parse the body of a refused request.
      app.route({ method: others, url, schema: { hide: true }, onRequest: refuse, handler: refuse });
    }
  };
}
