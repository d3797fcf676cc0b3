import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { type ProblemKinds, problemPath, titleOf } from './problem.ts';

const STYLE = `:root{color-scheme:light dark}
body{max-width:40rem;margin:0 auto;padding:1.5rem 1rem 3rem;font:1rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.25;margin:0.5rem 0}
h2{font-size:1.1rem;margin:1.75rem 0 0.25rem}
p{margin:0.25rem 0}
code,pre{font:0.9em ui-monospace,monospace}
pre{padding:0.75rem;border:1px solid #8886;border-radius:0.4rem;white-space:pre-wrap}
li{margin:0.35rem 0}`;

/** These pages do not run scripts, load resources or allow frames. */
const HEADERS = {
  'content-security-policy': contentSecurityPolicy(`style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`),
  'referrer-policy': 'no-referrer',
};

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for an element or an attribute between double quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** Returns a sentence as HTML; text between backticks becomes code. */
function html(sentence: string): string {
  return escapeHtml(sentence).replace(/`([^`]+)`/g, '<code>$1</code>');
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)} - Milepost</title>
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

function problemPage(code: string, kind: ProblemKinds[string]): string {
  const { status, meaning, remedy, endUser, example } = kind;
  const title = titleOf(code, kind);
  const sections = [
    ['What happened', `<p>${html(meaning)}</p>`],
    ['What to do', `<p>${html(remedy)}</p>`],
    ...(endUser === undefined ? [] : [['Message for the end user', `<p>${html(endUser)}</p>`]]),
    ['Example of <code>detail</code>', `<pre>${html(example)}</pre>`],
  ];
  return page(
    title,
    `<p><a href="./">All errors</a> · <a href="../">Reference</a></p>
<h1>${html(title)}</h1>
<p>Status <code>${status}</code>, <code>code</code> <code>${code}</code></p>
${sections.map(([heading, content]) => `<h2>${heading}</h2>\n${content}`).join('\n')}`,
  );
}

function listPage(kinds: ProblemKinds): string {
  const items = Object.entries(kinds).map(
    ([code, { status, meaning }]) =>
      `<li><a href="${code}"><code>${code}</code></a> (${status}): ${html(meaning)}</li>`,
  );
  return page(
    'Errors',
    `<p><a href="../">Reference</a></p>
<h1>Errors</h1>
<p>Every error is <code>application/problem+json</code> (RFC 9457). Programs should check its <code>code</code>.</p>
<ul>
${items.join('\n')}
</ul>`,
  );
}

/**
 * Serves a page for each code in a server's list, and an index of these pages. The `type` of a problem is the path of
 * its page.
 */
export function explainProblems(app: FastifyInstance, kinds: ProblemKinds): void {
  const pages = [
    [problemPath(''), listPage(kinds)] as const,
    ...Object.entries(kinds).map(([code, kind]) => [problemPath(code), problemPage(code, kind)] as const),
  ];
  for (const [path, text] of pages) {
    app.get(path, { schema: { hide: true } }, async (_request, reply) =>
      reply.headers(HEADERS).type('text/html; charset=utf-8').send(text),
    );
  }
}
