import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { Logger } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { escapeHtml } from './problem-pages.ts';

interface BundleOptions {
  /** The name of the web application. */
  name: string;
  /** The folder with `index.html` and `assets`. */
  folder: string;
  /** The path of the pages, such as `/explore`; empty for the root of the server. */
  path: string;
  /** Settings that the pages read from `<meta name="milepost-NAME">` in the head of `index.html`. */
  settings?: Readonly<Record<string, string>>;
  /** Origins from which the pages may load images, besides the server itself. */
  imageOrigins?: readonly string[];
}

/** The file name of an asset changes with its content, so browsers may cache it for a year. */
const ASSETS_SECONDS = 31_536_000;

/**
 * Serves the pages of a bundle and their assets. Browsers revalidate `index.html` each time and cache assets for a
 * year. If the bundle has not been built, the function only logs a warning, because the server works without it.
 */
export async function serveBundle(app: FastifyInstance, options: BundleOptions, logger: Logger): Promise<void> {
  const { name, folder, path, settings = {}, imageOrigins = [] } = options;
  if (!existsSync(join(folder, 'index.html'))) {
    const message = `${name} is not served, because it has not been built. Run npm run build to build it.`;
    return logger.warn({ folder }, message);
  }
  const metas = Object.entries({ root: path === '' ? './' : '../', ...settings }).map(
    ([name, content]) => `<meta name="milepost-${name}" content="${escapeHtml(content)}">\n`,
  );
  const page = readFileSync(join(folder, 'index.html'), 'utf8').replace('</head>', () => `${metas.join('')}</head>`);
  const headers = {
    'content-security-policy': contentSecurityPolicy(
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      `img-src ${["'self'", ...imageOrigins].join(' ')}`,
    ),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'geolocation=(), camera=(), microphone=()',
    // When browsers request tiles, they send only the origin as the referrer, never the URL of a page.
    'referrer-policy': 'strict-origin',
  };
  if (path !== '')
    app.get(path, { schema: { hide: true } }, async (_request, reply) => reply.redirect(`.${path}/`, 308));
  app.get(`${path}/`, { schema: { hide: true } }, async (_request, reply) =>
    reply
      .headers({ ...headers, 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(page),
  );
  await app.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: `${path}/assets/`,
    wildcard: false,
    preCompressed: true,
    decorateReply: false,
    maxAge: ASSETS_SECONDS * 1_000,
    immutable: true,
    globIgnore: ['**/*.{br,gz}'],
    setHeaders: (reply) => {
      for (const [name, text] of Object.entries(headers)) reply.header(name, text);
    },
  });
}
