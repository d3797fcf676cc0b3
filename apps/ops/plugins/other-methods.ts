import type { FastifyInstance } from 'fastify';
import { Problem } from '../problems/problem.ts';

/**
 * Watches which methods the paths declared afterwards answer to.
 *
 * @returns makes each of these paths answer 405 to all other methods; to be called once, when all are declared
 */
export function watchMethods(app: FastifyInstance): () => void {
  const methodsOf = new Map<string, Set<string>>();
  let watching = true;
  app.addHook('onRoute', ({ method, url }) => {
    if (!watching) return;
    const methods = methodsOf.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    methodsOf.set(url, methods);
  });
  return () => {
    watching = false;
    for (const [url, methods] of methodsOf) {
      const allow = [...methods].join(', ');
      const refuse = async (): Promise<never> => {
        throw new Problem('method_not_allowed', `This path answers ${allow} only.`, { headers: { allow } });
      };
      const others = app.supportedMethods.filter((method) => !methods.has(method));
      // As early as onRequest, so that no body of a refused request is ever parsed.
      app.route({ method: others, url, schema: { hide: true }, onRequest: refuse, handler: refuse });
    }
  };
}
