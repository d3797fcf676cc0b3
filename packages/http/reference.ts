import { hash } from 'node:crypto';
import scalar, { type ApiReferenceConfiguration } from '@scalar/fastify-api-reference';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CommonProblem } from './common-problems.ts';

const INLINE_SCRIPT = /<script type="text\/javascript">(.*?)<\/script>/gs;

/** The page runs its own scripts alone, and connects to this server alone. Its styles are set by script, element by element. */
function contentSecurityPolicy(page: string): string {
  const hashes = page.matchAll(INLINE_SCRIPT).map(([, script = '']) => `'sha256-${hash('sha256', script, 'base64')}'`);
  return [
    "default-src 'none'",
    `script-src 'self' ${[...hashes].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The page redirects to an address that it makes of the header Host. */
async function assertHost({ host }: FastifyRequest): Promise<void> {
  if (!URL.canParse(`http://${host}`)) throw new CommonProblem('bad_request', 'The header Host must name a host.');
}

/** What may be said of requests that are tried out on the page. The function runs in the browser, so it uses its input alone. */
type TryOut = Pick<ApiReferenceConfiguration, 'onRequestBuilt'>;

/** Serves a page at `/docs` that shows `/openapi.json`, where requests can be tried out. It loads nothing from elsewhere. */
export async function serveReference(app: FastifyInstance, title: string, tryOut: TryOut = {}): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply, page) => {
      if (typeof page === 'string' && reply.getHeader('content-type')?.toString().startsWith('text/html')) {
        reply.header('content-security-policy', contentSecurityPolicy(page));
      }
      return page;
    });
    await scope.register(scalar, {
      routePrefix: '/docs',
      hooks: { onRequest: assertHost },
      configuration: {
        ...tryOut,
        url: '/openapi.json',
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
