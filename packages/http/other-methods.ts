import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { CommonProblem } from './common-problems.ts';

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });

/**
 * Watches which methods the paths declared afterwards answer to.
 *
 * @returns makes each of these paths answer 405 to all other methods; to be called once, when all are declared
 */
export function watchMethods(app: FastifyInstance): () => void {
  // CONNECT never arrives as a request: Node closes the connection.
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
  const methodsOf = new Map<string, Set<string>>();
  let watching = true;
  app.addHook('onRoute', ({ method, url }) => {
    if (!watching) return;
    const methods = methodsOf.get(url) ?? new Set();
    // Of a path with a slash at its end Fastify tells HEAD alone, which it adds to every GET.
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
        throw new CommonProblem('method_not_allowed', `This path answers ${LIST.format(methods)} only.`, { headers });
      };
      const others = app.supportedMethods.filter((method) => !methods.has(method));
      // As early as onRequest, so that no body of a refused request is ever parsed.
      app.route({ method: others, url, schema: { hide: true }, onRequest: refuse, handler: refuse });
    }
  };
}
