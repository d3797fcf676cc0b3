import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../packages/platform/service/settings.ts';
import { ROOT } from './sources.ts';

const README_LINES = 200;
const FAULTS = 43;

const DEFAULTS = new Map(Object.entries(SETTINGS).map(([name, setting]) => [name, String(setting.default ?? '')]));
const documents = globSync('**/*.md', { cwd: ROOT, exclude: ['**/{node_modules,dist,dist-client,results,.*}'] }).map(
  (name) => ({ name, text: readFileSync(join(ROOT, name), 'utf8') }),
);

/** Returns a document without code blocks, and without brackets in other code, because code contains no links. */
function withoutCode(text: string): string {
  return text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]+`/g, (code) => code.replaceAll(/[[\]()]/g, ''));
}

/** Returns the anchors that GitHub assigns to a document's headings. */
function anchorsOf(text: string): string[] {
  return Array.from(withoutCode(text).matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Says why a link is broken, or returns null. Links to other sites are not checked. */
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
  it('has only links to existing files and headings', () => {
    const links = Array.from(withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link);
    expect(links.map((link) => brokenLink(name, link)).filter((fault) => fault !== null)).toEqual([]);
  });

  it('has only code that is valid in its language', () => {
    for (const [, language, code = ''] of text.matchAll(/^```(\w*)\n(.*?)^```$/gms)) {
      if (language === 'sh') execFileSync('bash', ['-n'], { input: code });
      else if (language === 'json') JSON.parse(code);
      else if (language === 'ts' || language === 'js') expect(parseSync(`code.${language}`, code).errors).toEqual([]);
      else expect(['sql', 'ini', 'yaml', 'nginx', 'python', 'java', 'go']).toContain(language);
    }
  });
});

it('npm run check runs every npm script in .ci/run', () => {
  const scriptsIn = (text: string) =>
    Array.from(text.matchAll(/\bnpm (?:run )?((?:test|typecheck|lint)[\w:]*(?: -- [\w-]+)?)/g), ([, script]) => script);
  const { scripts }: { scripts: { check: string } } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const ofContinuousIntegration = scriptsIn(readFileSync(join(ROOT, '.ci/run'), 'utf8'));
  expect(ofContinuousIntegration).toContain('test:all');
  expect(scriptsIn(scripts.check)).toEqual(expect.arrayContaining(ofContinuousIntegration));
});

it('.ci/run has each nightly test in exactly one of the parts that take turns', () => {
  const [, parts = ''] = /^nightly_parts=\((.*?)^\)/ms.exec(readFileSync(join(ROOT, '.ci/run'), 'utf8')) ?? [];
  const files = globSync('*.test.ts', { cwd: join(ROOT, 'test/nightly') }).map((name) => name.replace('.test.ts', ''));
  expect(parts.match(/[\w-]+/g)?.sort()).toEqual(files.sort());
});

it("docker-compose.yml lists the settings that it reads in a comment, and contains the processes' defaults", () => {
  const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
  const comment = /^(?:#.*\n)+/.exec(text)?.[0] ?? '';
  const read = Array.from(text.matchAll(/\$\{([A-Z_]+):/g), ([, name = '']) => name);
  expect(read).toEqual(expect.arrayContaining(['CORS_ORIGINS', 'PUBLIC_URL']));
  const named = new Set(comment.match(/[A-Z]{2,}(?:_[A-Z]+)*/g));
  expect([...new Set(read)].filter((name) => !named.has(name))).toEqual([]);
  const defaults = Array.from(text.matchAll(/\$\{([A-Z_]+):-([^}]+)\}/g)).filter(([, name = '']) => DEFAULTS.get(name));
  expect(defaults.filter(([, name = '', standard]) => DEFAULTS.get(name) !== standard)).toEqual([]);
});

it('the README is short', () => {
  expect(documents.find(({ name }) => name === 'README.md')?.text.split('\n').length).toBeLessThan(README_LINES);
});

it('docs/README.md lists every page, and each page says at the top whom it is for', () => {
  const pages = documents.filter(({ name }) => /^docs\/(?:\w+|\w+\/README)\.md$/.test(name));
  const index = pages.find(({ name }) => name === 'docs/README.md')?.text;
  for (const { name, text } of pages) {
    expect(text, name).toMatch(/^# .+\n\n\*For .+\*\n/);
    if (name !== 'docs/README.md') expect(index).toContain(`](${name.slice('docs/'.length)})`);
  }
});

it('the README repeats the costs in docs/scale.md', () => {
  const rowsOf = (path: string) => {
    const text = documents.find(({ name }) => name === path)?.text ?? '';
    return Array.from(text.matchAll(/^\| (.*) \|$/gm), ([, row = '']) => row.split(' | '));
  };
  const scale = new Map(rowsOf('docs/scale.md').map(([title, ...cells]) => [title, cells]));
  const columns = ['trips a day', 'disk space for PostgreSQL', 'memory', 'processors'].map((title) => scale.get(title));
  const costs = rowsOf('README.md').filter(([first = '']) => /^\d/.test(first));
  expect(costs.map((row) => row.map((cell) => cell.replace(/, on .*/, '')))).toEqual(
    [0, 1, 2, 3].map((index) => columns.map((column) => column?.[index])),
  );
});

it('docs/settings.md lists exactly the existing settings, with their defaults', () => {
  const text = documents.find(({ name }) => name === 'docs/settings.md')?.text ?? '';
  const [own = '', compose = ''] = text.split('\n## `docker-compose.yml`\n');
  expect(compose).toContain('| `KAFKA_PORT`, `MILEPOST_IMAGE` | 9094, `milepost:local` |');
  const rows = Array.from(own.matchAll(/^\| (.*?) \| (.*?) \|/gm));
  const named = rows.flatMap(([, names = '', standard = '']) =>
    Array.from(names.matchAll(/`([A-Z_]+)`/g), ([, name = '']) => ({ name, standard })),
  );
  expect(named.map(({ name }) => name).sort()).toEqual(Object.keys(SETTINGS).sort());
  const wrong = named.filter(({ name, standard }) => !standard.includes(DEFAULTS.get(name) ?? ''));
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

describe('docs/faults.md', () => {
  const text = documents.find(({ name }) => name === 'docs/faults.md')?.text ?? '';
  const rows = Array.from(
    text.matchAll(/^\| (\d*) \| [^|\n]+ \| `([^`\n]+)`: (.+) \|$/gm),
    ([, number = '', file = '', title = '']) => ({ number, file, title }),
  );

  it('lists each fault once, in order', () => {
    const numbers = rows.flatMap(({ number }) => (number === '' ? [] : [Number(number)]));
    expect(numbers).toEqual(Array.from({ length: FAULTS }, (_, index) => index + 1));
  });

  it.each(rows)('names a test that exists: $file: $title', ({ file, title }) => {
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(title);
  });
});

it('plots only ratios that docs/performance.md lists', () => {
  const text = documents.find(({ name }) => name === 'docs/performance.md')?.text ?? '';
  const plot = readFileSync(join(ROOT, 'docs/images/performance.svg'), 'utf8');
  const ratios = Array.from(plot.matchAll(/class="ratio"[^>]*>([^<]+)</g), ([, ratio = '']) => ratio);
  expect(ratios.length).toBeGreaterThan(0);
  expect(ratios.filter((ratio) => !text.includes(`| ${ratio} |`))).toEqual([]);
});
