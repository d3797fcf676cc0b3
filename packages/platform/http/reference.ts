import { hash } from 'node:crypto';
import scalar, { type ApiReferenceConfiguration } from '@scalar/fastify-api-reference';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CommonProblem } from './common-problems.ts';
import { contentSecurityPolicy } from './content-security-policy.ts';

const DOCUMENT_PATH = '/openapi.json';
const INLINE_SCRIPT = /<script type="text\/javascript">(.*?)<\/script>/gs;

/** The page runs only its own scripts and connects only to this server. Scripts set its styles, element by element. */
function policyOf(page: string): string {
  const hashes = page.matchAll(INLINE_SCRIPT).map(([, script = '']) => `'sha256-${hash('sha256', script, 'base64')}'`);
  return contentSecurityPolicy(
    `script-src 'self' ${[...hashes].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
  );
}

/** The page redirects to a URL built from the Host header, so that header must contain a valid host. */
async function assertHost({ host }: FastifyRequest): Promise<void> {
  if (!URL.canParse(`http://${host}`)) throw new CommonProblem('bad_request', 'The Host header must name a host.');
}

/** The hook for requests that the user sends from the page. The hook runs in the browser and can use only its input. */
export type TryOut = Pick<ApiReferenceConfiguration, 'onRequestBuilt'>;

/** Serves a page at `/docs` that shows `/openapi.json` and can send requests. The page loads only from this server. */
export async function serveReference(app: FastifyInstance, title: string, tryOut: TryOut = {}): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply, page) => {
      // The plugin would redirect to the root of the host, which is wrong behind a proxy that adds a path.
      if (reply.hasHeader('location')) reply.header('location', './docs/');
      if (typeof page === 'string' && reply.getHeader('content-type')?.toString().startsWith('text/html')) {
        reply.header('content-security-policy', policyOf(page));
      }
      return page;
    });
    await scope.register(scalar, {
      routePrefix: '/docs',
      hooks: { onRequest: assertHost },
      configuration: {
        ...tryOut,
        // The URL is relative to the page, because a proxy may add a path.
        url: `..${DOCUMENT_PATH}`,
        pageTitle: title,
        metaData: { title },
        telemetry: false,
        withDefaultFonts: false,
        hideClientButton: true,
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
        defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
      },
    });
  });
}
