import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

interface BundleOptions {
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

/** Returns a policy that forbids inline content and frames, and limits images to this server and these origins. */
function contentSecurityPolicy(imageOrigins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src ${["'self'", ...imageOrigins].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };

function escapeAttribute(text: string): string {
  return text.replace(/[&"<>]/g, (character) => ESCAPES[character] ?? character);
}

/** Returns whether `npm run build` has filled a bundle's folder. */
export function hasBundle(folder: string): boolean {
  return existsSync(join(folder, 'index.html'));
}

/**
 * Serves the pages of a bundle and their assets. Browsers revalidate `index.html` each time and cache assets for a
 * year.
 *
 * @throws Error when the folder has no bundle
 */
export async function serveBundle(app: FastifyInstance, options: BundleOptions): Promise<void> {
  const { folder, path, settings = {}, imageOrigins = [] } = options;
  const metas = Object.entries({ root: path === '' ? './' : '../', ...settings }).map(
    ([name, content]) => `<meta name="milepost-${name}" content="${escapeAttribute(content)}">\n`,
  );
  const page = readFileSync(join(folder, 'index.html'), 'utf8').replace('</head>', () => `${metas.join('')}</head>`);
  const headers = {
    'content-security-policy': contentSecurityPolicy(imageOrigins),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'geolocation=(), camera=(), microphone=()',
    // When browsers request tiles, they send only the origin as referrer, never the URL of a page.
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
