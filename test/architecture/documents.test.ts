import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../packages/service/settings.ts';
import { ROOT } from './sources.ts';

const README_LINES = 200;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], { cwd: ROOT });
const documents = files
  .toString()
  .split('\n')
  .filter((name) => name !== '' && existsSync(join(ROOT, name)))
  .map((name) => ({ name, text: readFileSync(join(ROOT, name), 'utf8') }));

/** A text without its code, in which nothing is a link. */
function withoutCode(text: string): string {
  return text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]+`/g, (code) => code.replaceAll(/[[\]()]/g, ''));
}

/** The anchors that GitHub gives the headings of a document. */
function anchorsOf(text: string): string[] {
  return Array.from(withoutCode(text).matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Why a link leads nowhere; null when it leads somewhere. Links to other sites are not followed. */
function brokenLink(document: string, link: string): string | null {
  if (/^https?:/.test(link)) return null;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(ROOT, document) : join(ROOT, dirname(document), path);
  if (!existsSync(target)) return `${link}: there is no such file`;
  if (anchor === undefined) return null;
  if (statSync(target).isDirectory()) return `${link}: a folder has no headings`;
  return anchorsOf(readFileSync(target, 'utf8')).includes(anchor) ? null : `${link}: there is no such heading`;
}

describe.each(documents)('$name', ({ name, text }) => {
  it('links to files and headings that are there', () => {
    const links = Array.from(withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link);
    expect(links.map((link) => brokenLink(name, link)).filter((fault) => fault !== null)).toEqual([]);
  });

  it('has code that its language takes', () => {
    for (const [, language, code = ''] of text.matchAll(/^```(\w*)\n(.*?)^```$/gms)) {
      if (language === 'sh') execFileSync('bash', ['-n'], { input: code });
      else if (language === 'json') JSON.parse(code);
      else expect(['sql', 'ini', 'yaml', 'nginx']).toContain(language);
    }
  });
});

it('keeps the README short', () => {
  expect(documents.find(({ name }) => name === 'README.md')?.text.split('\n').length).toBeLessThan(README_LINES);
});

it('has each setting in docs/settings.md, and no other', () => {
  const text = documents.find(({ name }) => name === 'docs/settings.md')?.text ?? '';
  const rows = Array.from(text.matchAll(/^\| (.*?) \|/gm), ([, first = '']) => first);
  const named = rows.flatMap((row) => Array.from(row.matchAll(/`([A-Z_]+)`/g), ([, setting = '']) => setting));
  expect(named.sort()).toEqual([...SETTINGS].sort());
});
